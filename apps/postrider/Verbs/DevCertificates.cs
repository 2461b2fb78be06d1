using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Postrider.CommandLine.Verbs;

/// <summary>Creates an authority and certificates for TLS on developer machines.</summary>
/// <remarks>ECDSA over P-256: of the key types that every client supports, its handshake costs a server the least.</remarks>
/// <param name="folder">Where the files are written.</param>
/// <param name="lifetime">How long the server's and the client's certificate are valid.</param>
/// <param name="time">The clock.</param>
internal sealed class DevCertificates(string folder, TimeSpan lifetime, TimeProvider time)
{
    private const string ServerPurpose = "1.3.6.1.5.5.7.3.1";
    private const string ClientPurpose = "1.3.6.1.5.5.7.3.2";

    // Tolerates clock differences between machines.
    private static readonly TimeSpan Leeway = TimeSpan.FromMinutes(5);
    private static readonly TimeSpan AuthorityLifetime = TimeSpan.FromDays(3650);

    private static readonly UnixFileMode OwnerAlone = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    /// <summary>The authority's certificate, for both sides to trust.</summary>
    internal string AuthorityFile => Path.Join(folder, "ca.pem");

    /// <summary>The server's certificate.</summary>
    internal string ServerFile => Path.Join(folder, "server.pem");

    /// <summary>The server's key.</summary>
    internal string ServerKeyFile => Path.Join(folder, "server-key.pem");

    /// <summary>The client's certificate.</summary>
    internal string ClientFile => Path.Join(folder, "client.pem");

    /// <summary>The client's key.</summary>
    internal string ClientKeyFile => Path.Join(folder, "client-key.pem");

    private string AuthorityKeyFile => Path.Join(folder, "ca-key.pem");

    /// <summary>Writes all files; an existing authority is used again, so that clients that trust it still do.</summary>
    /// <param name="hosts">Names and addresses of the server.</param>
    /// <param name="user">The client's name.</param>
    /// <returns>Whether a new authority was created.</returns>
    internal bool Write(IReadOnlyList<string> hosts, string user)
    {
        Directory.CreateDirectory(folder);
        var isNew = !File.Exists(AuthorityFile) || !File.Exists(AuthorityKeyFile);
        using var authority = isNew ? CreateAuthority() : X509Certificate2.CreateFromPemFile(AuthorityFile, AuthorityKeyFile);
        var server = new SubjectAlternativeNameBuilder();
        foreach (var host in hosts)
        {
            if (IPAddress.TryParse(host, out var address)) server.AddIpAddress(address);
            else server.AddDnsName(host);
        }
        Issue(authority, hosts[0], ServerPurpose, server, ServerFile, ServerKeyFile);
        var client = new SubjectAlternativeNameBuilder();
        client.AddDnsName(user);
        Issue(authority, user, ClientPurpose, client, ClientFile, ClientKeyFile);
        return isNew;
    }

    private X509Certificate2 CreateAuthority()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest(Named($"{Environment.MachineName} development authority"), key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(certificateAuthority: true, hasPathLengthConstraint: true, pathLengthConstraint: 0, critical: true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.KeyCertSign | X509KeyUsageFlags.CrlSign, critical: true));
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, critical: false));
        var now = time.GetUtcNow();
        var authority = request.CreateSelfSigned(now - Leeway, now + AuthorityLifetime);
        WriteFile(AuthorityFile, authority.ExportCertificatePem());
        WriteFile(AuthorityKeyFile, key.ExportPkcs8PrivateKeyPem());
        return authority;
    }

    private void Issue(X509Certificate2 authority, string name, string purpose, SubjectAlternativeNameBuilder names, string file, string keyFile)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest(Named(name), key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(certificateAuthority: false, hasPathLengthConstraint: false, pathLengthConstraint: 0, critical: true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature, critical: true));
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid(purpose)], critical: false));
        request.CertificateExtensions.Add(names.Build());
        request.CertificateExtensions.Add(X509AuthorityKeyIdentifierExtension.CreateFromCertificate(authority, includeKeyIdentifier: true, includeIssuerAndSerial: false));
        var now = time.GetUtcNow();
        var end = now + lifetime;
        Span<byte> serial = stackalloc byte[16];
        RandomNumberGenerator.Fill(serial);
        // Positive, and of full length.
        serial[0] = (byte)((serial[0] & 0x7F) | 0x40);
        using var certificate = request.Create(authority, now - Leeway, end < authority.NotAfter ? end : new DateTimeOffset(authority.NotAfter), serial);
        WriteFile(file, certificate.ExportCertificatePem());
        WriteFile(keyFile, key.ExportPkcs8PrivateKeyPem());
    }

    private static X500DistinguishedName Named(string name)
    {
        var builder = new X500DistinguishedNameBuilder();
        builder.AddCommonName(name);
        return builder.Build();
    }

    // Created with the owner's access only: no one else can ever read a key.
    private static void WriteFile(string path, string pem)
    {
        var options = new FileStreamOptions { Mode = FileMode.Create, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows()) options.UnixCreateMode = OwnerAlone;
        using (var writer = new StreamWriter(path, options)) writer.Write(pem + "\n");
        // An existing file has kept its mode.
        if (!OperatingSystem.IsWindows()) File.SetUnixFileMode(path, OwnerAlone);
    }
}
