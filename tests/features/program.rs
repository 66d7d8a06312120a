//! Prints the digests in a build whose JSON library has its switches on, and fails where it has not.

mod digests;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let text = r#"{"b":1,"a":0.10}"#;
    let value: serde_json::Value = serde_json::from_str(text).expect("JSON");
    // Kept in its order by `preserve_order`, and to its last digit by `arbitrary_precision`.
    assert_eq!(value.to_string(), text, "the switches are off");
    for line in digests::lines().await {
        println!("{line}");
    }
}
