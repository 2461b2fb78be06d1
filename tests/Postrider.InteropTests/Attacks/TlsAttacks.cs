using System.Buffers.Binary;
using System.Security.Cryptography.X509Certificates;
using System.Text;

namespace Postrider.InteropTests.Attacks;

/// <summary>Attacks on ports with TLS: bytes instead of a handshake, and handshakes with wrong certificates.</summary>
internal static class TlsAttacks
{
    private const byte ChangeCipherSpec = 0x14;
    private const byte Alert = 0x15;
    private const byte Handshake = 0x16;
    private const byte ApplicationData = 0x17;
    private const ushort Ssl3 = 0x0300;
    private const ushort Tls10 = 0x0301;
    private const ushort Tls11 = 0x0302;
    private const ushort Tls12 = 0x0303;

    // ECDHE with AES-128-GCM and both kinds of certificates, and what TLS 1.0 has.
    private static readonly ushort[] s_suites = [0xC02B, 0xC02F, 0xC009, 0xC013, 0x002F];

    /// <summary>The attempts by name.</summary>
    public static IReadOnlyDictionary<string, TlsAttack> All { get; } = new Dictionary<string, TlsAttack>(StringComparer.Ordinal)
    {
        ["CONNECT in the clear"] = InTheClear("CONNECT {\"verbose\":false}\r\nPING\r\n"),
        ["request of HTTP"] = InTheClear("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
        ["greeting of SSH"] = InTheClear("SSH-2.0-OpenSSH_9.9\r\n"),
        ["zeros"] = Raw(new byte[256]),
        ["nothing"] = Raw([]),
        ["end without a byte"] = Raw([]) with { EndsItsSide = true },
        ["garbage in a record of a handshake"] = Raw(Record(Handshake, Tls12, Pattern(64))),
        ["record of unknown kind"] = Raw(Record(0x99, Tls12, Pattern(64))),
        ["record that is longer than allowed"] = Raw([Handshake, 3, 1, 0xFF, 0xFF, .. Pattern(4096)]),
        ["records without content"] = Raw([.. Enumerable.Repeat(Record(Handshake, Tls10, []), 200).SelectMany(static record => record)]),
        ["message of a handshake that is longer than allowed"] = Raw(Record(Handshake, Tls10, [0x01, 0xFF, 0xFF, 0xFF, .. Pattern(1000)])),
        ["ClientHello that stops, and silence"] = Raw(Hello(Tls12, s_suites)[..40]),
        ["header of a record, and silence"] = Raw(Hello(Tls12, s_suites)[..5]),
        ["ClientHello that stops, and the end"] = Raw(Hello(Tls12, s_suites)[..40]) with { EndsItsSide = true },
        ["SSL 3.0"] = Raw(Hello(Ssl3, s_suites)),
        ["TLS 1.0"] = Raw(Hello(Tls10, s_suites)),
        ["TLS 1.1"] = Raw(Hello(Tls11, s_suites)),
        ["hello of SSL 2"] = Raw([0x80, 0x2E, 0x01, 0x00, 0x02, 0x00, 0x15, 0x00, 0x00, 0x00, 0x10, .. Pattern(37)]),
        ["no cipher suite in common"] = Raw(Hello(Tls12, [0x0000, 0x0001])),
        ["no cipher suite"] = Raw(Hello(Tls12, [])),
        ["TLS 1.2 below min_version"] = Raw(Hello(Tls12, s_suites)) with { Server = TlsAttackServers.Newest },
        ["warning that there is no renegotiation, and CONNECT"] = Raw([.. Record(Alert, Tls12, [1, 100]), .. "CONNECT {}\r\nPING\r\n"u8]),
        ["end by an alert before the handshake"] = Raw(Record(Alert, Tls12, [1, 0])),
        ["fatal alert before the handshake"] = Raw(Record(Alert, Tls12, [2, 40])),
        ["change of the cipher before the handshake"] = Raw(Record(ChangeCipherSpec, Tls12, [1])),
        ["data before the handshake"] = Raw(Record(ApplicationData, Tls12, "CONNECT {}\r\nPING\r\n"u8)),
        ["no certificate"] = new TlsAttack(TlsAttackServers.Verifying),
        ["no certificate, TLS 1.2"] = new TlsAttack(TlsAttackServers.Verifying) { IsTls12 = true },
        ["certificate of another authority"] = Presenting(static servers => servers.Stranger),
        ["certificate of another authority, TLS 1.2"] = Presenting(static servers => servers.Stranger) with { IsTls12 = true },
        ["expired certificate"] = Presenting(static servers => servers.Expired),
        ["certificate of a server"] = Presenting(static servers => servers.Certificates.Server),
        ["certificate that signs itself"] = Presenting(static servers => servers.SelfSigned),
        ["certificate that is not among pinned_certs"] = Presenting(static servers => servers.Certificates.Client) with { Server = TlsAttackServers.Pinning },
        ["certificate that is not among pinned_certs, TLS 1.2"] = Presenting(static servers => servers.Certificates.Client) with { Server = TlsAttackServers.Pinning, IsTls12 = true },
        ["handshake of TLS 1.2 below min_version"] = new TlsAttack(TlsAttackServers.Newest) { IsTls12 = true },
    };

    private static TlsAttack InTheClear(string text) => Raw(Encoding.ASCII.GetBytes(text));

    private static TlsAttack Raw(byte[] bytes) => new(TlsAttackServers.Impatient) { Bytes = bytes };

    private static TlsAttack Presenting(Func<TlsAttackServers, X509Certificate2> certificate)
        => new(TlsAttackServers.Verifying) { Certificate = certificate };

    private static byte[] Pattern(int length) => [.. Enumerable.Range(0, length).Select(static i => (byte)((i * 37) + 11))];

    private static byte[] Record(byte kind, ushort version, ReadOnlySpan<byte> content) => [kind, .. Number(version), .. Number((ushort)content.Length), .. content];

    // Without extensions, as the oldest clients send it.
    private static byte[] Hello(ushort version, ushort[] suites)
    {
        byte[] body = [.. Number(version), .. Pattern(32), 0, .. Number((ushort)(suites.Length * 2)), .. suites.SelectMany(Number), 1, 0];
        return Record(Handshake, version, [0x01, 0, .. Number((ushort)body.Length), .. body]);
    }

    private static byte[] Number(ushort number)
    {
        var bytes = new byte[2];
        BinaryPrimitives.WriteUInt16BigEndian(bytes, number);
        return bytes;
    }
}
