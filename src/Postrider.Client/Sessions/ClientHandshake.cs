using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Postrider.Client.Sessions;

/// <summary>Creates the options of TLS handshakes from those of the client.</summary>
internal static class ClientHandshake
{
    /// <summary>Creates the options for one server; reads the files.</summary>
    /// <param name="client">The client's options; without TLS options, the system's authorities and no certificate.</param>
    /// <param name="address">The server.</param>
    /// <exception cref="NatsClientException">With <see cref="NatsErrorCode.InvalidOption"/>: a file cannot be used; the message names it.</exception>
    public static SslClientAuthenticationOptions CreateOptions(ClientOptions client, ServerAddress address)
    {
        var options = client.Tls;
        var created = new SslClientAuthenticationOptions
        {
            TargetHost = options?.ServerName ?? address.TlsName ?? address.Host,
            CertificateRevocationCheckMode = X509RevocationMode.NoCheck,
            AllowRenegotiation = false,
        };
        if (options is null) return created;
#pragma warning disable CA5359 // Asked for by name, and documented as such.
        if (options.Insecure) created.RemoteCertificateValidationCallback = static (_, _, _, _) => true;
#pragma warning restore CA5359
        if (ReadAuthorities(client, options) is { } authorities)
        {
            created.CertificateChainPolicy = new X509ChainPolicy { RevocationMode = X509RevocationMode.NoCheck, TrustMode = X509ChainTrustMode.CustomRootTrust };
            created.CertificateChainPolicy.CustomTrustStore.AddRange(authorities);
        }
        created.ClientCertificateContext = ReadCertificate(client, options);
        return created;
    }

    private static X509Certificate2Collection? ReadAuthorities(ClientOptions client, TlsOptions options)
    {
        if (options.CaFile is not { Length: > 0 } file) return options.CaCertificates;
        var authorities = new X509Certificate2Collection();
        try
        {
            authorities.ImportFromPem(ReadFile(client, nameof(TlsOptions.CaFile), file));
        }
        catch (CryptographicException error)
        {
            throw Invalid(client, nameof(TlsOptions.CaFile), $"{file}: {error.Message}", error);
        }
        return authorities.Count > 0 ? authorities : throw Invalid(client, nameof(TlsOptions.CaFile), $"{file} contains no certificate in PEM format.", null);
    }

    private static SslStreamCertificateContext? ReadCertificate(ClientOptions client, TlsOptions options)
    {
        if (options.Certificate is { } given)
        {
            if (!given.HasPrivateKey) throw Invalid(client, nameof(TlsOptions.Certificate), "has no private key.", null);
            return SslStreamCertificateContext.Create(given, null, offline: true);
        }
        var (hasCertificate, hasKey) = (!string.IsNullOrEmpty(options.CertFile), !string.IsNullOrEmpty(options.KeyFile));
        if (!hasCertificate && !hasKey) return null;
        if (!hasCertificate || !hasKey)
            throw Invalid(client, hasCertificate ? nameof(TlsOptions.KeyFile) : nameof(TlsOptions.CertFile), "is missing: a certificate needs both files.", null);
        var (certificates, key) = (ReadFile(client, nameof(TlsOptions.CertFile), options.CertFile!), ReadFile(client, nameof(TlsOptions.KeyFile), options.KeyFile!));
        if (key.Contains("ENCRYPTED", StringComparison.Ordinal)) throw Invalid(client, nameof(TlsOptions.KeyFile), $"{options.KeyFile}: the private key is encrypted; encrypted keys are not supported.", null);
        try
        {
            var leaf = X509Certificate2.CreateFromPem(certificates, key);
            // TLS on Windows does not accept a key that only exists in memory.
            if (OperatingSystem.IsWindows()) leaf = X509CertificateLoader.LoadPkcs12(leaf.Export(X509ContentType.Pkcs12), null);
            var chain = new X509Certificate2Collection();
            chain.ImportFromPem(certificates);
            return SslStreamCertificateContext.Create(leaf, chain, offline: true);
        }
        catch (Exception error) when (error is CryptographicException or ArgumentException)
        {
            throw Invalid(client, nameof(TlsOptions.CertFile), $"{options.CertFile} with {options.KeyFile}: {error.Message}", error);
        }
    }

    private static string ReadFile(ClientOptions client, string option, string path)
    {
        try
        {
            return File.ReadAllText(path);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw Invalid(client, option, $"{path} cannot be read: {error.Message}", error);
        }
    }

    private static NatsClientException Invalid(ClientOptions client, string option, string what, Exception? error)
        => new(NatsErrorCode.InvalidOption, $"{client.NameOf($"{nameof(ClientOptions.Tls)}.{option}")} {what}", error);
}
