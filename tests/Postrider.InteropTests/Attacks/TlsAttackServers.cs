using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Postrider.InteropTests.Harness;
using Postrider.InteropTests.Tls;

namespace Postrider.InteropTests.Attacks;

/// <summary>A server of each kind for each TLS block that attacks are tried on, and the certificates.</summary>
public sealed class TlsAttackServers : IAsyncLifetime
{
    /// <summary>Waits half a second for a handshake.</summary>
    public const string Impatient = "impatient";

    /// <summary>Requires a certificate of its authority.</summary>
    public const string Verifying = "verifying";

    /// <summary>Requires one particular certificate.</summary>
    public const string Pinning = "pinning";

    /// <summary>Supports only TLS 1.3.</summary>
    public const string Newest = "newest";

    private readonly Dictionary<(ServerKind Kind, string Name), ServerProcess> _servers = [];
    private readonly TestCertificates _strangers = new("Another authority");

    public TlsAttackServers()
    {
        Expired = Certificates.IssueClient("expired", "CN=client", expiresIn: TimeSpan.FromDays(-1));
        Pinned = Certificates.IssueClient("pinned", "CN=client");
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var now = TimeProvider.System.GetUtcNow();
        SelfSigned = new CertificateRequest("CN=client", key, HashAlgorithmName.SHA256).CreateSelfSigned(now.AddDays(-1), now.AddDays(1));
    }

    public TestCertificates Certificates { get; } = new();

    public X509Certificate2 Stranger => _strangers.Client;

    public X509Certificate2 Expired { get; }

    public X509Certificate2 Pinned { get; }

    public X509Certificate2 SelfSigned { get; }

    /// <summary>A server.</summary>
    public ServerProcess this[ServerKind kind, string name] => _servers[(kind, name)];

    public async ValueTask InitializeAsync()
    {
        var blocks = new Dictionary<string, string>
        {
            [Impatient] = "timeout: 0.5",
            [Verifying] = "verify: true, timeout: 30",
            [Pinning] = $"verify: true, timeout: 30, pinned_certs: [\"{PinOf(Pinned)}\"]",
            [Newest] = "min_version: \"1.3\", timeout: 30",
        };
        foreach (var kind in Enum.GetValues<ServerKind>())
        {
            foreach (var (name, block) in blocks) _servers[(kind, name)] = await TlsServers.StartAsync(kind, Certificates, block);
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var server in _servers.Values) await server.DisposeAsync();
        foreach (var certificate in (X509Certificate2[])[Expired, Pinned, SelfSigned]) certificate.Dispose();
        Certificates.Dispose();
        _strangers.Dispose();
    }

    // As in nats-server: of the public key with its algorithm.
    private static string PinOf(X509Certificate2 certificate) => Convert.ToHexStringLower(SHA256.HashData(certificate.PublicKey.ExportSubjectPublicKeyInfo()));
}
