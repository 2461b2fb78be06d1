using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Postrider.Load.Servers;

/// <summary>An authority and a server's certificate for one run, and the configuration that every server gets.</summary>
/// <remarks>ECDSA over P-256, which both kinds of servers are fastest with.</remarks>
internal static class TlsFiles
{
    /// <summary>Writes certificate, key and configuration into a server's folder.</summary>
    /// <param name="folder">The folder.</param>
    /// <param name="authority">With its key.</param>
    public static void Write(StoreFolder folder, X509Certificate2 authority)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName("localhost");
        request.CertificateExtensions.Add(names.Build());
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid("1.3.6.1.5.5.7.3.1")], false));
        using var certificate = request.Create(authority, authority.NotBefore, authority.NotAfter, RandomNumberGenerator.GetBytes(8));
        File.WriteAllText(Path.Combine(folder.Path, "cert.pem"), certificate.ExportCertificatePem());
        File.WriteAllText(Path.Combine(folder.Path, "key.pem"), key.ExportPkcs8PrivateKeyPem());
        // Clients without TLS are let in to see whether the server listens.
        folder.WriteConfiguration(
            $"tls {{ cert_file: \"{folder.Path}/cert.pem\", key_file: \"{folder.Path}/key.pem\", timeout: 20 }}\nallow_non_tls: true\n");
    }

    /// <summary>Makes an authority.</summary>
    public static X509Certificate2 CreateAuthority()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=load", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        var now = TimeProvider.System.GetUtcNow();
        return request.CreateSelfSigned(now.AddDays(-1), now.AddDays(30));
    }
}
