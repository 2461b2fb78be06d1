using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Text;
using Postrider.Broker;
using Postrider.Broker.Monitoring;
using Postrider.Client;
using Postrider.Sockets;

namespace Postrider.SystemTests.Tls;

/// <summary>Certificates of both sides.</summary>
public sealed class TlsCertificateTests : TlsScenario
{
    [Theory]
    [MemberData(nameof(Engines))]
    public async Task Client_certificate_is_required_and_checked(EngineKind engine)
    {
        await using var broker = await StartAsync(Verifying, options => options.Engine = engine);
        using var others = new TestCertificates("Another authority");
        var expired = Certificates.IssueClient("expired", "CN=expired", null, TimeSpan.FromDays(-1));

        await using var client = await ConnectAsync(broker, Presenting);
        await using var byObject = await ConnectAsync(broker, new TlsOptions { CaCertificates = Certificates.Authorities, Certificate = Certificates.Client });
        await client.PingAsync();
        await byObject.PingAsync();

        await RefusesAsync(broker, Trusting);
        await RefusesAsync(broker, Trusting with { Certificate = others.Client });
        await RefusesAsync(broker, Trusting with { Certificate = expired });
        // A server's certificate is no client's.
        await RefusesAsync(broker, Trusting with { Certificate = Certificates.Server });
        Assert.Equal("CN=client", Open(broker)[0].TlsPeer!.Subject);
    }

    [Fact]
    public async Task Servers_certificate_is_checked()
    {
        using var others = new TestCertificates("Another authority");
        Certificates.IssueServer("expired", "localhost", TimeSpan.FromDays(-1));
        await using var broker = await StartAsync(Files);
        await using var expired = await StartAsync(new ServerTlsOptions { CertFile = Certificates.FileOf("expired.pem"), KeyFile = Certificates.FileOf("expired-key.pem") });

        await RefusesAsync(broker, new TlsOptions { CaFile = others.CaFile });
        await RefusesAsync(broker, Trusting with { ServerName = "elsewhere.example" });
        await RefusesAsync(expired, Trusting);
        await using var careless = await ConnectAsync(expired, new TlsOptions { Insecure = true });
        await using var byAddress = await NatsClient.ConnectAsync($"tls://127.0.0.1:{broker.EndPoint!.Port}", options => options.Tls = Trusting);
        await careless.PingAsync();
        await byAddress.PingAsync();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Wrong_files_of_a_client_are_named(bool isKey)
    {
        await using var broker = await StartAsync(Files);
        var wrong = isKey
            ? Presenting with { KeyFile = Certificates.FileOf("missing.pem") }
            : Presenting with { CertFile = Certificates.FileOf("missing.pem") };

        var refused = await Assert.ThrowsAsync<NatsClientException>(() => ConnectAsync(broker, wrong));

        Assert.Equal(NatsErrorCode.InvalidOption, refused.Code);
        Assert.StartsWith($"TlsOptions.{(isKey ? "KeyFile" : "CertFile")} {Certificates.FileOf("missing.pem")} cannot be read", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Renewed_certificate_is_used_after_a_reload_while_connections_stay()
    {
        await using var broker = await StartAsync(Files);
        await using var before = await ConnectAsync(broker, Trusting);
        var options = broker.State.Options with { };
        var renewed = Certificates.IssueServer("server", "localhost");

        broker.Reload(options);

        Assert.Equal(renewed.Thumbprint, await PresentedAsync(broker));
        Assert.Equal(renewed.NotAfter, broker.State.TlsCertificateNotAfter!.Value.LocalDateTime);
        await before.PingAsync();
        Assert.Equal(0, before.Statistics.Reconnects);
    }

    [Fact]
    public async Task Bad_file_at_a_reload_leaves_the_old_certificate()
    {
        await using var broker = await StartAsync(Files);
        var before = await PresentedAsync(broker);
        await File.WriteAllTextAsync(Certificates.ServerFile, "no certificate");

        var refused = Assert.Throws<BrokerException>(() => broker.Reload(broker.State.Options with { }));

        Assert.Equal($"error parsing X509 certificate/key pair: {Certificates.ServerFile} contains no certificate in PEM format", refused.Message);
        Assert.Equal(before, await PresentedAsync(broker));
    }

    [Fact]
    public async Task Only_pinnedCertificates_are_let_in_and_a_reload_ends_the_others()
    {
        var other = Certificates.IssueClient("other", "CN=other");
        var tls = Verifying with { PinnedCertificates = [TlsMaterial.KeyIdOf(Certificates.Client).ToUpperInvariant()] };
        await using var broker = await StartAsync(tls);

        await using var client = await ConnectAsync(broker, Presenting, static options => options.Reconnect = false);
        await RefusesAsync(broker, Trusting with { Certificate = other });
        await client.PingAsync();
        broker.Reload(broker.State.Options with { Tls = tls with { PinnedCertificates = [TlsMaterial.KeyIdOf(other)] } });

        await Eventually.HoldsAsync(() => client.State == ConnectionState.Closed);
        await using var now = await ConnectAsync(broker, Trusting with { Certificate = other });
        await now.PingAsync();
    }

    [Fact]
    public async Task Certificate_decides_who_the_client_is()
    {
        var byMail = Certificates.IssueClient("mail", "CN=x", static names => names.AddEmailAddress("joe@example.com"));
        var byName = Certificates.IssueClient("name", "CN=y", static names => names.AddDnsName("ann.example"));
        var byUri = Certificates.IssueClient("uri", "CN=z", static names => names.AddUri(new Uri("spiffe://example/sam")));
        var bySubject = Certificates.IssueClient("subject", "CN=kim, OU=dev, O=Example");
        var unknown = Certificates.IssueClient("unknown", "CN=nobody");
        var users = new[] { "joe@example.com", "ann.example", "spiffe://example/sam", "CN=kim,OU=dev,O=Example" };
        await using var broker = await StartAsync(
            Verifying with { VerifyAndMap = true },
            options => options.Authorization = new AuthorizationOptions { Users = [.. users.Select(static name => new UserOptions { Name = name })] });
        foreach (var certificate in new[] { byMail, byName, byUri, bySubject })
        {
            await using var client = await ConnectAsync(broker, Trusting with { Certificate = certificate });
            await client.PingAsync();
            Assert.Equal(users[Array.IndexOf([byMail, byName, byUri, bySubject], certificate)], Open(broker)[^1].User);
        }

        var refused = await Assert.ThrowsAsync<NatsClientException>(() => ConnectAsync(broker, Trusting with { Certificate = unknown }, static options => options.User = "ann.example"));

        Assert.Equal(NatsErrorCode.AuthorizationFailed, refused.Code);
    }

    [Fact]
    public async Task Lowest_version_is_kept()
    {
        await using var broker = await StartAsync(Files with { MinVersion = SslProtocols.Tls13 });
        await using var newer = await OpenStreamAsync(broker, SslProtocols.Tls13);

        Assert.Equal(SslProtocols.Tls13, newer.SslProtocol);
        await Assert.ThrowsAnyAsync<Exception>(() => OpenStreamAsync(broker, SslProtocols.Tls12));
    }

    [Fact]
    public async Task Cipher_suites_are_those_that_were_chosen()
    {
        await using var broker = await StartAsync(Files with { CipherSuites = [TlsCipherSuite.TLS_CHACHA20_POLY1305_SHA256] });
        await using var client = await ConnectAsync(broker, Trusting);

        Assert.Equal("TLS_CHACHA20_POLY1305_SHA256", Open(broker)[0].TlsCipherSuite);
    }
}
