using System.Net.Security;
using System.Security.Authentication;
using Postrider.Broker;

namespace Postrider.UnitTests.Broker.Configuration;

/// <summary>The tls block. The texts are nats-server 2.15.1's where it has one.</summary>
public sealed class TlsBinderTests : IDisposable
{
    private readonly TestCertificates _certificates = new();

    public static TheoryData<string, string> Refused => new()
    {
        { "cert_file: CERT", "1:1: missing 'key_file' in TLS configuration" },
        { "key_file: KEY", "1:1: missing 'cert_file' in TLS configuration" },
        { "cert_file: NONE\nkey_file: KEY", "2:1: error parsing X509 certificate/key pair: open NONE: no such file or directory" },
        { "cert_file: CERT\nkey_file: NONE", "3:1: error parsing X509 certificate/key pair: open NONE: no such file or directory" },
        { "cert_file: JUNK\nkey_file: KEY", "2:1: error parsing X509 certificate/key pair: JUNK contains no certificate in PEM format" },
        { "cert_file: CERT\nkey_file: JUNK", "3:1: error parsing X509 certificate/key pair: JUNK contains no private key in PEM format" },
        { "cert_file: CERT\nkey_file: OTHER", "3:1: error parsing X509 certificate/key pair: OTHER: private key does not match public key" },
        { "cert_file: CERT\nkey_file: ENCRYPTED", "3:1: error parsing X509 certificate/key pair: ENCRYPTED: the private key is encrypted; encrypted keys are not supported" },
        { "cert_file: CERT\nkey_file: OLDENCRYPTED", "3:1: error parsing X509 certificate/key pair: OLDENCRYPTED: the private key is encrypted; encrypted keys are not supported" },
        { "cert_file: CERT\nkey_file: BROKEN", "3:1: error parsing X509 certificate/key pair: BROKEN: failed to parse private key" },
        { "cert_file: CERT\nkey_file: KEY\nca_file: JUNK", "4:1: failed to parse root ca certificate" },
        { "cert_file: CERT\nkey_file: KEY\nca_file: NONE", "4:1: open NONE: no such file or directory" },
        { "cert_file: 5", "2:1: error parsing tls config, expected 'cert_file' to be filename" },
        { "foo: 5", "2:1: error parsing tls config, unknown field \"foo\"" },
        { "verify: 5", "2:1: error parsing tls config, expected 'verify' to be a boolean" },
        { "timeout: x", "2:1: error parsing tls config, 'timeout' time: invalid duration \"x\"" },
        { "timeout: true", "2:1: error parsing tls config, 'timeout' wrong type" },
        { "min_version: \"1.1\"", "2:1: error parsing tls config: unsupported TLS version: TLS 1.1" },
        { "min_version: \"9\"", "2:1: error parsing tls config: unknown version: 9" },
        { "min_version: 1.3", "2:1: error parsing tls config: 'min_version' wrong type: 1.3" },
        { "handshake_first: foo", "2:1: field \"handshake_first\"'s value \"foo\" is invalid" },
        { "connection_rate_limit: x", "2:1: error parsing tls config, 'connection_rate_limit' wrong type" },
        { "cipher_suites: [FOO]", "2:17: unrecognized cipher FOO" },
        { "cipher_suites: []", "2:1: error parsing tls config, 'cipher_suites' cannot be empty" },
        { "cipher_suites: [TLS_RSA_WITH_RC4_128_SHA]", "2:1: insecure cipher suites configured without 'allow_insecure_cipher_suites' option set: TLS_RSA_WITH_RC4_128_SHA" },
        { "curve_preferences: [X25519]", "2:1: \"curve_preferences\" is not supported: the system's TLS library chooses the curve" },
        { "pinned_certs: [xyz]", "2:16: error parsing tls config, 'pinned_certs' key xyz does not look like hex-encoded sha256 of DER encoded SubjectPublicKeyInfo" },
        { "cert_file: CERT\nkey_file: KEY\ncerts: [ {cert_file: CERT, key_file: KEY} ]", "1:1: error parsing tls config, cannot combine 'cert_file' option with 'certs' option" },
        { "certs: [ {cert_file: CERT} ]", "2:10: error parsing certificates config: both 'cert_file' and 'cert_key' options are required" },
        { "cert_store: WindowsCurrentUser", "2:1: \"cert_store\" is not supported" },
        { "ocsp_peer: true", "2:1: \"ocsp_peer\" is not supported" },
        { "verify_cert_and_check_known_urls: true", "2:1: \"verify_cert_and_check_known_urls\" is not supported" },
    };

    public static TheoryData<string, Func<ServerTlsOptions, object?>, object?> Keys => new()
    {
        { "verify: true", o => (o.Verify, o.VerifyAndMap), (true, false) },
        { "verify_and_map: true", o => (o.RequiresCertificate, o.VerifyAndMap), (true, true) },
        { "timeout: 3", o => o.Timeout, TimeSpan.FromSeconds(3) },
        { "timeout: 0.5", o => o.Timeout, TimeSpan.FromSeconds(0.5) },
        { "timeout: \"1m\"", o => o.Timeout, TimeSpan.FromMinutes(1) },
        { "timeout: 0", o => o.Timeout, TimeSpan.FromSeconds(2) },
        { "min_version: \"1.3\"", o => o.MinVersion, SslProtocols.Tls13 },
        { "handshake_first: true", o => (o.HandshakeFirst, o.HandshakeFirstFallback), (true, TimeSpan.Zero) },
        { "handshake_first: \"off\"", o => o.HandshakeFirst, false },
        { "handshake_first: auto", o => (o.HandshakeFirst, o.HandshakeFirstFallback), (true, TimeSpan.FromMilliseconds(50)) },
        { "first: \"300ms\"", o => (o.HandshakeFirst, o.HandshakeFirstFallback), (true, TimeSpan.FromMilliseconds(300)) },
        { "connection_rate_limit: 7", o => o.ConnectionRateLimit, 7L },
        { "cipher_suites: [TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256]", o => o.CipherSuites[0], TlsCipherSuite.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 },
        { "cipher_suites: [TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256]", o => o.CipherSuites.Contains(TlsCipherSuite.TLS_AES_256_GCM_SHA384), true },
        { "allow_insecure_cipher_suites: true\ncipher_suites: [TLS_RSA_WITH_AES_128_CBC_SHA]", o => o.CipherSuites[0], TlsCipherSuite.TLS_RSA_WITH_AES_128_CBC_SHA },
        { $"pinned_certs: [{new string('A', 64)}]", o => o.PinnedCertificates[0], new string('a', 64) },
        { "insecure: true", o => o.Verify, false },
        { "ocsp_peer: false", o => o.Verify, false },
    };

    public void Dispose() => _certificates.Dispose();

    [Theory]
    [MemberData(nameof(Refused))]
    public void Bad_block_is_refused_with_place_and_reason(string block, string expected)
    {
        var refusal = Assert.Throws<BrokerException>(() => Apply(block));

        Assert.Equal($"x.conf:{Named(expected)}", refusal.Message);
    }

    [Theory]
    [MemberData(nameof(Keys))]
    public void Key_sets_its_option(string block, Func<ServerTlsOptions, object?> read, object? expected)
        => Assert.Equal(expected, read(Apply($"cert_file: CERT\nkey_file: KEY\n{block}").Tls!));

    [Fact]
    public void Certificates_of_several_names_are_read()
    {
        _certificates.IssueServer("second", "second.example");

        var options = Apply($"certs: [ {{cert_file: CERT, key_file: KEY}}, {{cert_file: \"{_certificates.FileOf("second.pem")}\", key_file: \"{_certificates.FileOf("second-key.pem")}\"}} ]");

        Assert.Equal(2, options.Tls!.CertificateFiles.Count);
    }

    [Fact]
    public void Flags_replace_the_certificate_and_keep_the_rest()
    {
        var source = new MemoryConfigSource { Files = { ["x.conf"] = Text("cert_file: CERT\nkey_file: KEY\ntimeout: 7") } };

        var options = ServerCommandLine.Parse(
            ["-c", "x.conf", "--tlscert", _certificates.ClientFile, "--tlskey", _certificates.ClientKeyFile, "--tlscacert", _certificates.CaFile, "--tlsverify"], source).Options;

        Assert.Equal((_certificates.ClientFile, _certificates.CaFile, true, TimeSpan.FromSeconds(7)), (options.Tls!.CertFile, options.Tls.CaFile, options.Tls.Verify, options.Tls.Timeout));
        Assert.Null(ServerCommandLine.Parse(["-c", "x.conf", "--tls=false"], source).Options.Tls);
    }

    private BrokerOptions Apply(string block)
    {
        var options = new BrokerOptions();
        ConfigurationFile.Apply("x.conf", options, new MemoryConfigSource { Files = { ["x.conf"] = Text(block) } });
        return options;
    }

    private string Text(string block) => $"tls {{\n{Quoted(block)}\n}}\n";

    private string Quoted(string block)
    {
        var text = block;
        foreach (var (word, path) in Files()) text = text.Replace($"file: {word}", $"file: \"{path}\"", StringComparison.Ordinal);
        return text;
    }

    private string Named(string message)
    {
        var text = message;
        foreach (var (word, path) in Files()) text = text.Replace($" {word}", $" {path}", StringComparison.Ordinal);
        return text;
    }

    private (string Word, string Path)[] Files()
    {
        Write("junk", "no PEM at all");
        Write("encrypted", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAAA\n-----END ENCRYPTED PRIVATE KEY-----\n");
        Write("old", "-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nMAAA\n-----END EC PRIVATE KEY-----\n");
        Write("broken", "-----BEGIN PRIVATE KEY-----\nMAAA\n-----END PRIVATE KEY-----\n");
        return
        [
            ("OLDENCRYPTED", _certificates.FileOf("old")), ("ENCRYPTED", _certificates.FileOf("encrypted")), ("BROKEN", _certificates.FileOf("broken")),
            ("CERT", _certificates.ServerFile), ("KEY", _certificates.ServerKeyFile), ("OTHER", _certificates.ClientKeyFile),
            ("JUNK", _certificates.FileOf("junk")), ("NONE", _certificates.FileOf("none")),
        ];
    }

    private void Write(string name, string text) => File.WriteAllText(_certificates.FileOf(name), text);
}
