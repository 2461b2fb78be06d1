using System.Security.Cryptography.X509Certificates;
using System.Security.Cryptography;
using Postrider.Broker;

namespace Postrider.SystemTests.Tls;

/// <summary>Pinned certificates of other servers, also those that a reload changes.</summary>
public sealed class PinnedPeerTests : IDisposable
{
    private readonly TestCertificates _certificates = new();
    private readonly X509Certificate2 _one;
    private readonly X509Certificate2 _other;

    public PinnedPeerTests() => (_one, _other) = (_certificates.IssuePeer("one"), _certificates.IssuePeer("other"));

    [Fact]
    public async Task Route_whose_certificate_is_no_longer_pinned_ends()
    {
        await using var first = await NatsBroker.StartAsync(Server("first", _one, PinOf(_other)));
        await using var second = await NatsBroker.StartAsync(Server("second", _other, PinOf(_one), $"nats-route://{first.ClusterEndPoint}"));
        await Eventually.HoldsAsync(() => first.State.Routes(false).Count > 0 && second.State.Routes(false).Count > 0);

        first.Reload(Server("first", _one, PinOf(_certificates.Client)));

        await Eventually.HoldsAsync(() => first.State.Routes(false).Count == 0);
    }

    [Fact]
    public async Task Server_that_dials_checks_the_pin_too()
    {
        await using var first = await NatsBroker.StartAsync(Server("first", _one, PinOf(_other)));

        await using var second = await NatsBroker.StartAsync(Server("second", _other, PinOf(_certificates.Client), $"nats-route://{first.ClusterEndPoint}"));
        await using var third = await NatsBroker.StartAsync(Server("third", _other, PinOf(_one), $"nats-route://{first.ClusterEndPoint}"));

        await Eventually.HoldsAsync(() => first.State.Routes(false).Count > 0);
        Assert.All(first.State.Routes(false), static route => Assert.Equal("third", route.RemoteName));
    }

    [Fact]
    public async Task Leaf_node_whose_certificate_is_no_longer_pinned_ends()
    {
        await using var hub = await NatsBroker.StartAsync(Hub(PinOf(_other)));
        await using var edge = await NatsBroker.StartAsync(new BrokerOptions
        {
            Port = BrokerOptions.RandomPort,
            LeafNodes = new LeafNodeOptions
            {
                ReconnectInterval = TimeSpan.FromMilliseconds(50),
                Remotes =
                [
                    new LeafRemoteOptions
                    {
                        Urls = [$"tls://{hub.LeafNodeEndPoint}"],
                        Tls = new LeafTlsOptions { CaFile = _certificates.CaFile, CertFile = _certificates.FileOf("other.pem"), KeyFile = _certificates.FileOf("other-key.pem") },
                    },
                ],
            },
        });
        await Eventually.HoldsAsync(() => hub.State.LeafNodes(false).Count == 1);

        hub.Reload(Hub(PinOf(_one)));

        await Eventually.HoldsAsync(() => hub.State.LeafNodes(false).Count == 0);
    }

    public void Dispose()
    {
        _one.Dispose();
        _other.Dispose();
        _certificates.Dispose();
    }

    private BrokerOptions Server(string name, X509Certificate2 certificate, string pin, params string[] routes) => new()
    {
        Port = BrokerOptions.RandomPort,
        ServerName = name,
        Cluster = new ClusterOptions { Name = "c", Port = BrokerOptions.RandomPort, Routes = routes, Tls = TlsOf(certificate, pin) },
    };

    private BrokerOptions Hub(string pin) => new()
    {
        Port = BrokerOptions.RandomPort,
        LeafNodes = new LeafNodeOptions { Port = BrokerOptions.RandomPort, Tls = TlsOf(_certificates.Server, pin) },
    };

    private ServerTlsOptions TlsOf(X509Certificate2 certificate, string pin)
        => new() { Certificate = certificate, CaCertificates = _certificates.Authorities, Verify = true, PinnedCertificates = [pin] };

    private static string PinOf(X509Certificate2 certificate) => Convert.ToHexStringLower(SHA256.HashData(certificate.PublicKey.ExportSubjectPublicKeyInfo()));
}
