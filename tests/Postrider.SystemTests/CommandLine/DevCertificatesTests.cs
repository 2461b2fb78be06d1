using System.Security.Cryptography.X509Certificates;
using Postrider.Broker;
using Postrider.Client;
using Postrider.CommandLine.Terminal;
using Postrider.CommandLine.Verbs;

namespace Postrider.SystemTests.CommandLine;

public sealed class DevCertificatesTests : IDisposable
{
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("postrider-dev-cert-");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task Certificates_serve_a_broker_and_its_client()
    {
        var certificates = New();
        certificates.Write(["localhost", "127.0.0.1"], "alice");
        var options = new BrokerOptions
        {
            Port = BrokerOptions.RandomPort,
            Tls = new ServerTlsOptions { CertFile = certificates.ServerFile, KeyFile = certificates.ServerKeyFile, CaFile = certificates.AuthorityFile, VerifyAndMap = true },
            Authorization = new AuthorizationOptions { Users = [new UserOptions { Name = "alice" }] },
        };
        await using var broker = await NatsBroker.StartAsync(options);

        await using var client = await NatsClient.ConnectAsync(broker.Url!, options => options.Tls = new TlsOptions
        {
            CaFile = certificates.AuthorityFile,
            CertFile = certificates.ClientFile,
            KeyFile = certificates.ClientKeyFile,
        });
        await client.PingAsync();

        Assert.StartsWith("tls://", broker.Url, StringComparison.Ordinal);
        Assert.Equal("alice", Assert.Single(broker.State.OpenConnections(false)).User);
    }

    [Fact]
    public void Files_are_their_owners_alone()
    {
        New().Write(["localhost"], "client");

        var files = _folder.GetFiles("*.pem");
        Assert.Equal(6, files.Length);
        // Windows has no such modes.
        if (OperatingSystem.IsWindows()) return;
        foreach (var file in files) Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(file.FullName));
    }

    [Fact]
    public void Second_run_renews_the_certificates_and_keeps_the_authority()
    {
        Assert.True(New().Write(["localhost"], "client"));
        var (authority, server) = (Read("ca.pem"), Read("server.pem"));

        Assert.False(New().Write(["localhost"], "client"));

        Assert.Equal(authority, Read("ca.pem"));
        Assert.NotEqual(server, Read("server.pem"));
    }

    [Fact]
    public void Certificates_end_before_their_authority()
    {
        New(TimeSpan.FromDays(10_000)).Write(["localhost"], "client");

        using var server = X509Certificate2.CreateFromPem(Read("server.pem"));
        using var authority = X509Certificate2.CreateFromPem(Read("ca.pem"));
        Assert.True(server.NotAfter <= authority.NotAfter);
        Assert.False(authority.HasPrivateKey);
    }

    private DevCertificates New(TimeSpan? lifetime = null) => new(_folder.FullName, lifetime ?? TimeSpan.FromDays(1), TimeProvider.System);

    private string Read(string file) => File.ReadAllText(Path.Combine(_folder.FullName, file));
}
