import NetcoreHTTP
import Testing

@Suite("What a client may say that it decodes")
struct AcceptEncodingTests {
    @Test(
        "a list of codings that can be decoded, with weights or without",
        arguments: [
            "gzip", "gzip,br,zstd", "GZIP , Deflate\t,identity", "x-gzip", "gzip;q=0", "gzip;q=1",
            "gzip ; q=0.5, br; Q=1.000",
            "identity;q=0.123", "gzip;q=0.", "br, br",
        ])
    func good(list: String) { #expect(ContentCoding.canDecode(accepted: list)) }

    @Test(
        "anything else",
        arguments: [
            "", " ", ",", "gzip,", ",gzip", "gzip,,br", "compress", "*", "gzip br", "gzip;", "gzip;q", "gzip;q=",
            "gzip;q=2",
            "gzip;q=1.001", "gzip;q=0.1234", "gzip;q=.5", "gzip;q=-1", "gzip;q=0,5", "gzip;level=1", "gzip;q=1;q=1",
            "gzip\r\nX: 1", "gzip\u{0}", "gzíp",
        ])
    func bad(list: String) { #expect(!ContentCoding.canDecode(accepted: list)) }
}
