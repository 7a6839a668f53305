import NetcoreHTTP
import Testing

@Suite struct ChallengeTests {
    /// Each challenge as "scheme:realm", without the colon where there is no realm.
    private func parse(_ field: String) -> [String] {
        Challenge.parse(field).map { $0.scheme + ($0.realm.map { ":\($0)" } ?? "") }
    }

    @Test(
        "a field's challenges have their scheme and realm",
        arguments: [
            (#"Basic realm="a""#, ["Basic:a"]),
            (#"Basic realm=a"#, ["Basic:a"]),
            (#"bAsIc ReAlM="a""#, ["bAsIc:a"]),
            (#"Basic realm="""#, ["Basic:"]),
            ("Basic \t realm \t=\t \"a\"", ["Basic:a"]),
            (#"Basic charset="UTF-8", realm="a""#, ["Basic:a"]),
            ("Basic", ["Basic"]),
            ("Basic, Digest", ["Basic", "Digest"]),
            (#"Digest realm="b", nonce="n", qop="auth, auth-int", Basic realm="a""#, ["Digest:b", "Basic:a"]),
            // RFC 9110 section 11.6.1
            (
                #"Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\"""#,
                ["Basic:simple", "Newauth:apps"]
            ),
            (#"Newauth type=1, Basic realm="a""#, ["Newauth", "Basic:a"]),
            (#", ,Basic realm="a",, ,Digest realm="b","#, ["Basic:a", "Digest:b"]),
        ])
    func challenges(field: String, expected: [String]) { #expect(parse(field) == expected) }

    @Test(
        "what stands behind a scheme in place of parameters is one run of base64",
        arguments: [
            ("Negotiate YII=", ["Negotiate"]),
            ("Negotiate YII==, Basic realm=a", ["Negotiate", "Basic:a"]),
            ("Negotiate a/b+c-d._~== ,Basic realm=a", ["Negotiate", "Basic:a"]),
            ("Negotiate abc, NTLM def==", ["Negotiate", "NTLM"]),
            ("Negotiate abc==,Basic realm=a", ["Negotiate", "Basic:a"]),
        ])
    func credentials(field: String, expected: [String]) { #expect(parse(field) == expected) }

    @Test(
        "in a quoted string commas, schemes and escaped bytes are text",
        arguments: [
            (#"Basic realm="a, Digest realm=b""#, ["Basic:a, Digest realm=b"]),
            (#"Basic realm="say \"hi\", \\ and \x", Digest realm="b""#, [#"Basic:say "hi", \ and x"#, "Digest:b"]),
            (#"Bearer error="realm=\"no\", Basic realm=no", realm="yes""#, ["Bearer:yes"]),
            (#"Basic realm="Grüße""#, ["Basic:Grüße"]),
        ])
    func quotedStrings(field: String, expected: [String]) { #expect(parse(field) == expected) }

    @Test("of two realms of one challenge the first counts")
    func twoRealms() { #expect(parse(#"Basic realm="a", realm="b", Digest realm="c""#) == ["Basic:a", "Digest:c"]) }

    @Test(
        "a broken field is read as far as it goes",
        arguments: [
            ("", []),
            (" \t,", []),
            (#""Basic""#, []),
            ("@ Basic", []),
            (#"="a""#, []),
            (#"realm="a", Basic realm="b""#, []),
            (#"Basic realm="a"; x"#, ["Basic:a"]),
            (#"Basic realm="a"#, ["Basic:a"]),
            (#"Basic realm="a\"#, [#"Basic:a\"#]),
            (#"Basic realm="a" @, Digest realm="b""#, ["Basic:a"]),
            (#"Basic realm="a" Digest realm="b""#, ["Basic:a", "Digest:b"]),
        ])
    func broken(field: String, expected: [String]) { #expect(parse(field) == expected) }

    @Test("the strongest scheme that netcore knows is answered, whatever the order and the case")
    func strongest() {
        func strongest(_ field: String) -> Challenge? { Challenge.strongest(of: Challenge.parse(field)) }
        #expect(strongest(#"Basic realm="a", dIgEsT realm="b", Newauth realm="c""#)?.realm == "b")
        #expect(strongest(#"Digest realm="b", Negotiate"#)?.knownScheme == .negotiate)
        #expect(strongest(#"Basic realm="a", Bearer realm="t""#)?.knownScheme == .bearer)
        #expect(strongest(#"Basic realm="a", Basic realm="b""#)?.realm == "a")
        #expect(strongest(#"Newauth realm="c""#) == nil)
    }
}
