extension Charset {
    /// The encoding that a label of Content-Type stands for, as browsers read it (WHATWG Encoding, section 4.2): what calls itself
    /// ISO-8859-1 is windows-1252, and so on.
    ///
    /// - Parameter label: in lower case.
    /// - Returns: as iconv knows it; nil for UTF-8, and for a label that is not known.
    static func encoding(_ label: String) -> String? {
        if let name = aliases.first(where: { $0.label == label })?.name { return name }
        if let number = label.suffix(after: "windows-") ?? label.suffix(after: "x-cp") ?? label.suffix(after: "cp"),
            (1250...1258).contains(number)
        {
            return "CP\(number)"
        }
        if let number = label.suffix(after: "iso-8859-") ?? label.suffix(after: "iso8859-"), parts.contains(number) {
            return "ISO-8859-\(number)"
        }
        return nil
    }

    /// Parts of ISO 8859 that stand for themselves.
    private static let parts: Set<Int> = [2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16]

    private static let aliases: [(label: String, name: String)] = [
        ("us-ascii", "CP1252"), ("ascii", "CP1252"), ("ansi_x3.4-1968", "CP1252"), ("iso-8859-1", "CP1252"),
        ("iso8859-1", "CP1252"), ("iso_8859-1", "CP1252"), ("latin1", "CP1252"), ("latin-1", "CP1252"),
        ("l1", "CP1252"),
        ("latin2", "ISO-8859-2"), ("iso-8859-8-i", "ISO-8859-8"), ("latin5", "CP1254"), ("iso-8859-9", "CP1254"),
        ("iso8859-9", "CP1254"), ("iso-8859-11", "CP874"), ("tis-620", "CP874"), ("windows-874", "CP874"),
        ("koi8-r", "KOI8-R"), ("koi8", "KOI8-R"), ("koi8-u", "KOI8-U"), ("ibm866", "CP866"), ("cp866", "CP866"),
        ("macintosh", "MACINTOSH"), ("shift_jis", "CP932"), ("shift-jis", "CP932"), ("sjis", "CP932"),
        ("windows-31j", "CP932"), ("x-sjis", "CP932"), ("euc-jp", "EUC-JP"), ("x-euc-jp", "EUC-JP"),
        ("iso-2022-jp", "ISO-2022-JP"), ("gb18030", "GB18030"), ("gbk", "GB18030"), ("x-gbk", "GB18030"),
        ("gb2312", "GB18030"), ("gb_2312-80", "GB18030"), ("euc-kr", "CP949"), ("ks_c_5601-1987", "CP949"),
        ("windows-949", "CP949"), ("big5", "BIG5-HKSCS"), ("big5-hkscs", "BIG5-HKSCS"), ("x-x-big5", "BIG5-HKSCS"),
        ("utf-16", "UTF-16LE"), ("utf-16le", "UTF-16LE"), ("utf-16be", "UTF-16BE"),
    ]
}

extension String {
    /// The number after a beginning.
    fileprivate func suffix(after prefix: String) -> Int? {
        hasPrefix(prefix) ? Int(dropFirst(prefix.utf8.count)) : nil
    }
}
