using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Postrider.Sockets;

namespace Postrider.Broker;

/// <summary>The loaded certificates and settings of TLS options, ready for handshakes. Immutable; replaced by a reload.</summary>
/// <remarks>Error texts follow nats-server's, because scripts look for them.</remarks>
internal sealed class TlsMaterial
{
    private readonly SslStreamCertificateContext[] _contexts;
    private readonly HashSet<string> _pins;
    private readonly X509Certificate2Collection? _authorities;

    private TlsMaterial(ServerTlsOptions options, SslStreamCertificateContext[] contexts, X509Certificate2Collection? authorities)
    {
        Options = options;
        _contexts = contexts;
        _pins = options.PinnedCertificates.ToHashSet(StringComparer.OrdinalIgnoreCase);
        ForClients = CreateOptions(options.RequiresCertificate, authorities);
        _authorities = authorities;
        ForRoutes = CreateOptions(verifies: true, authorities);
        ForMonitoring = CreateOptions(verifies: false, null);
    }

    /// <summary>The options that it was loaded from.</summary>
    public ServerTlsOptions Options { get; }

    /// <summary>The options for handshakes with clients. Shared: must not be changed.</summary>
    public SslServerAuthenticationOptions ForClients { get; }

    /// <summary>The options for handshakes with servers of the cluster, which always present a certificate. Shared: must not be changed.</summary>
    public SslServerAuthenticationOptions ForRoutes { get; }

    /// <summary>The options for handshakes with monitoring, which requires no certificate. Shared: must not be changed.</summary>
    public SslServerAuthenticationOptions ForMonitoring { get; }

    /// <summary>When the first certificate expires.</summary>
    public DateTimeOffset NotAfter => new(_contexts[0].TargetCertificate.NotAfter);

    /// <summary>Loads files and builds the chains.</summary>
    /// <param name="options">The options.</param>
    /// <param name="problem">The problem, or null.</param>
    /// <returns>Null with a problem.</returns>
    public static TlsMaterial? Load(ServerTlsOptions options, out string? problem)
    {
        try
        {
            problem = Check(options);
            if (problem is not null) return null;
            var authorities = options.CaFile is { Length: > 0 } file ? PemFiles.ReadAuthorities(file) : options.CaCertificates;
            return new TlsMaterial(options, ReadCertificates(options), authorities);
        }
        catch (TlsFileException error)
        {
            problem = error.Message;
            return null;
        }
    }

    /// <summary>Creates the options of a handshake for a connection to a server of the cluster: it presents the same certificate, and that of the
    /// other server must be a pinned one, if there are any.</summary>
    public SslClientAuthenticationOptions CreateClientOptions()
    {
        var created = new SslClientAuthenticationOptions
        {
            ClientCertificateContext = _contexts[0],
            CertificateRevocationCheckMode = X509RevocationMode.NoCheck,
            EnabledSslProtocols = Options.MinVersion == SslProtocols.Tls13 ? SslProtocols.Tls13 : SslProtocols.Tls12 | SslProtocols.Tls13,
            AllowRenegotiation = false,
            CertificateChainPolicy = CreateChainPolicy(_authorities),
        };
        if (Options.CipherSuites.Count > 0 && !OperatingSystem.IsWindows()) created.CipherSuitesPolicy = new CipherSuitesPolicy(Options.CipherSuites);
        if (_pins.Count > 0)
            created.RemoteCertificateValidationCallback = (_, certificate, _, errors) => errors == SslPolicyErrors.None && IsPinned(certificate as X509Certificate2);
        return created;
    }

    /// <summary>Whether a client's certificate is one of the pinned ones, if there are any.</summary>
    public bool IsPinned(X509Certificate2? certificate)
        => _pins.Count == 0 || (certificate is not null && _pins.Contains(KeyIdOf(certificate)));

    /// <summary>Whether an open connection has to end because its certificate is not, or no longer, one of the pinned ones.</summary>
    /// <param name="connection">The connection; null without TLS.</param>
    public bool Rejects(TlsConnection? connection) => connection is not null && !IsPinned(connection.RemoteCertificate);

    /// <summary>The SHA-256 of a certificate's public key, in hex digits.</summary>
    public static string KeyIdOf(X509Certificate2 certificate)
        => Convert.ToHexStringLower(SHA256.HashData(certificate.PublicKey.ExportSubjectPublicKeyInfo()));

    /// <summary>Checks the form of a pin.</summary>
    /// <param name="pin">The SHA-256 of a public key, in hex digits of either case.</param>
    /// <returns>The problem, or null.</returns>
    public static string? FindPinProblem(string pin)
        => pin.Length == 2 * SHA256.HashSizeInBytes && pin.All(char.IsAsciiHexDigit)
            ? null
            : $"error parsing tls config, 'pinned_certs' key {pin} does not look like hex-encoded sha256 of DER encoded SubjectPublicKeyInfo";

    private static string? Check(ServerTlsOptions options)
    {
        var (hasCertificate, hasKey) = (!string.IsNullOrEmpty(options.CertFile), !string.IsNullOrEmpty(options.KeyFile));
        if (hasCertificate && options.CertificateFiles.Count > 0) return "error parsing tls config, cannot combine 'cert_file' option with 'certs' option";
        if (hasCertificate && !hasKey) return "missing 'key_file' in TLS configuration";
        if (hasKey && !hasCertificate) return "missing 'cert_file' in TLS configuration";
        if (!hasCertificate && options.CertificateFiles.Count == 0 && options.Certificate is null)
            return "the TLS configuration has no certificate: set 'cert_file' and 'key_file'";
        if (options.Certificate is { HasPrivateKey: false }) return "the TLS certificate has no private key";
        if (options.MinVersion is not (SslProtocols.Tls12 or SslProtocols.Tls13)) return $"unsupported TLS version: {options.MinVersion}";
        if (options.Timeout <= TimeSpan.Zero) return $"tls timeout ({GoDuration.Format(options.Timeout)}) must be positive";
        if (options.ConnectionRateLimit < 0) return $"tls connection_rate_limit ({options.ConnectionRateLimit}) must not be negative";
        if (options.CipherSuites.Count > 0 && OperatingSystem.IsWindows()) return "cipher suites cannot be chosen on Windows";
        return options.PinnedCertificates.Select(FindPinProblem).FirstOrDefault(static problem => problem is not null);
    }

    private static SslStreamCertificateContext[] ReadCertificates(ServerTlsOptions options)
    {
        if (options.Certificate is { } given) return [SslStreamCertificateContext.Create(given, null, offline: true)];
        if (options.CertificateFiles.Count == 0) return [PemFiles.ReadPair(options.CertFile!, options.KeyFile!, "")];
        return [.. options.CertificateFiles.Select((pair, i) => PemFiles.ReadPair(pair.CertFile, pair.KeyFile, $" {i + 1}/{options.CertificateFiles.Count}"))];
    }

    private SslServerAuthenticationOptions CreateOptions(bool verifies, X509Certificate2Collection? authorities)
    {
        var created = new SslServerAuthenticationOptions
        {
            ServerCertificateContext = _contexts[0],
            ClientCertificateRequired = verifies,
            CertificateRevocationCheckMode = X509RevocationMode.NoCheck,
            EnabledSslProtocols = Options.MinVersion == SslProtocols.Tls13 ? SslProtocols.Tls13 : SslProtocols.Tls12 | SslProtocols.Tls13,
            AllowRenegotiation = false,
        };
        if (_contexts.Length > 1)
        {
            created.ServerCertificateContext = null;
            created.ServerCertificateSelectionCallback = (_, name) => Select(name);
        }
        if (Options.CipherSuites.Count > 0 && !OperatingSystem.IsWindows()) created.CipherSuitesPolicy = new CipherSuitesPolicy(Options.CipherSuites);
        if (verifies) created.CertificateChainPolicy = CreateChainPolicy(authorities);
        return created;
    }

    private X509Certificate2 Select(string? name)
        => (name is { Length: > 0 } asked ? _contexts.Select(static context => context.TargetCertificate).FirstOrDefault(certificate => certificate.MatchesHostname(asked)) : null)
            ?? _contexts[0].TargetCertificate;

    // Nothing is downloaded while a client waits.
    private static X509ChainPolicy CreateChainPolicy(X509Certificate2Collection? authorities)
    {
        var policy = new X509ChainPolicy { RevocationMode = X509RevocationMode.NoCheck, DisableCertificateDownloads = true };
        if (authorities is null) return policy;
        policy.TrustMode = X509ChainTrustMode.CustomRootTrust;
        policy.CustomTrustStore.AddRange(authorities);
        return policy;
    }
}
