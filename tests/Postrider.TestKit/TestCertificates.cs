using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Postrider.TestKit;

/// <summary>An authority and certificates of it, in memory and as PEM files in a folder of their own, which goes with the object.</summary>
public sealed class TestCertificates : IDisposable
{
    private const string ServerPurpose = "1.3.6.1.5.5.7.3.1";
    private const string ClientPurpose = "1.3.6.1.5.5.7.3.2";

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-certificates-");

    /// <summary>Makes an authority of that name, a server's certificate for localhost and 127.0.0.1, and a client's.</summary>
    public TestCertificates(string name = "Test authority")
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.KeyCertSign | X509KeyUsageFlags.CrlSign, true));
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, false));
        Authority = request.CreateSelfSigned(Now.AddYears(-10), Now.AddYears(10));
        File.WriteAllText(CaFile, Authority.ExportCertificatePem());
        Server = IssueServer("server", "localhost");
        Client = IssueClient("client", "CN=client", names => names.AddDnsName("client"));
    }

    /// <summary>The authority, with its key.</summary>
    public X509Certificate2 Authority { get; }

    /// <summary>The authority alone, as the side that trusts it has it.</summary>
    public X509Certificate2Collection Authorities => [X509CertificateLoader.LoadCertificate(Authority.RawData)];

    /// <summary>The server's certificate, with its key.</summary>
    public X509Certificate2 Server { get; }

    /// <summary>The client's certificate, with its key.</summary>
    public X509Certificate2 Client { get; }

    public string CaFile => FileOf("ca.pem");

    public string ServerFile => FileOf("server.pem");

    public string ServerKeyFile => FileOf("server-key.pem");

    public string ClientFile => FileOf("client.pem");

    public string ClientKeyFile => FileOf("client-key.pem");

    private static DateTimeOffset Now => TimeProvider.System.GetUtcNow();

    /// <summary>A file in the folder.</summary>
    public string FileOf(string name) => Path.Combine(_folder.FullName, name);

    /// <summary>Makes a certificate for servers and writes it to NAME.pem and NAME-key.pem.</summary>
    public X509Certificate2 IssueServer(string file, string host, TimeSpan? expiresIn = null) => Issue(file, $"CN={host}", [ServerPurpose], expiresIn, names =>
    {
        names.AddDnsName(host);
        if (host == "localhost") names.AddIpAddress(IPAddress.Loopback);
    });

    /// <summary>Makes a certificate for servers that connect to each other, for localhost and 127.0.0.1, and writes it to NAME.pem and NAME-key.pem.</summary>
    public X509Certificate2 IssuePeer(string file) => Issue(file, "CN=localhost", [ServerPurpose, ClientPurpose], null, names =>
    {
        names.AddDnsName("localhost");
        names.AddIpAddress(IPAddress.Loopback);
    });

    /// <summary>Makes a certificate for clients and writes it to NAME.pem and NAME-key.pem.</summary>
    public X509Certificate2 IssueClient(string file, string subject, Action<SubjectAlternativeNameBuilder>? names = null, TimeSpan? expiresIn = null)
        => Issue(file, subject, [ClientPurpose], expiresIn, names);

    public void Dispose() => _folder.Delete(recursive: true);

    private X509Certificate2 Issue(string file, string subject, string[] purposes, TimeSpan? expiresIn, Action<SubjectAlternativeNameBuilder>? names)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest(subject, key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(false, false, 0, true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature, true));
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([.. purposes.Select(static purpose => new Oid(purpose))], false));
        if (names is not null)
        {
            var builder = new SubjectAlternativeNameBuilder();
            names(builder);
            request.CertificateExtensions.Add(builder.Build());
        }
        using var alone = request.Create(Authority, Now.AddDays(-2), Now + (expiresIn ?? TimeSpan.FromDays(30)), RandomNumberGenerator.GetBytes(8));
        File.WriteAllText(FileOf($"{file}.pem"), alone.ExportCertificatePem());
        File.WriteAllText(FileOf($"{file}-key.pem"), key.ExportPkcs8PrivateKeyPem());
        return alone.CopyWithPrivateKey(key);
    }
}
