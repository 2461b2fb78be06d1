using Microsoft.Extensions.Diagnostics.HealthChecks;
using Postrider.Transport.ServiceBus;
using Postrider.Transports;
using Postrider.TransportTests.ServiceBus.StandIn;

namespace Postrider.TransportTests.ServiceBus;

/// <summary>TLS and tokens: which are refused, and that they are renewed before they expire.</summary>
public sealed class ServiceBusLoginTests : IDisposable
{
    private readonly TestCertificates _certificates = new();

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public void Dispose() => _certificates.Dispose();

    [Fact]
    public async Task Messages_travel_over_TLS_when_the_authority_is_known()
    {
        await using var standIn = new ServiceBusStandIn(certificate: _certificates.Server);
        standIn.CreateQueue("orders");
        await using var transport = new ServiceBusTransport(new ServiceBusOptions { ConnectionString = standIn.ConnectionString, CaFile = _certificates.CaFile });

        await transport.OpenSender("orders").SendAsync(default, "x"u8.ToArray(), Ct);

        Assert.Equal(1, standIn.CountOf("orders"));
    }

    [Fact]
    public async Task Server_with_a_certificate_of_another_authority_gets_no_token()
    {
        using var others = new TestCertificates("Another authority");
        await using var standIn = new ServiceBusStandIn(certificate: _certificates.Server);
        standIn.CreateQueue("orders");
        await using var stranger = new ServiceBusTransport(new ServiceBusOptions { ConnectionString = standIn.ConnectionString, CaFile = others.CaFile });
        await using var system = new ServiceBusTransport(new ServiceBusOptions { ConnectionString = standIn.ConnectionString });

        foreach (var transport in (ServiceBusTransport[])[stranger, system])
        {
            var refused = await Assert.ThrowsAsync<PostriderException>(async () => await transport.OpenSender("orders").SendAsync(default, "x"u8.ToArray(), Ct));
            var health = await transport.CheckHealthAsync(Ct);

            Assert.Equal(PostriderError.Configuration, refused.Error);
            Assert.Contains("is not trusted", refused.Message, StringComparison.Ordinal);
            Assert.Contains("ServiceBusOptions.CaFile", refused.Message, StringComparison.Ordinal);
            Assert.Equal(HealthStatus.Unhealthy, health.Status);
        }

        Assert.Equal(0, standIn.Tokens.Count);
    }

    [Fact]
    public async Task Case_46_wrong_key_is_said_by_send_listener_and_health_and_not_repeated()
    {
        await using var standIn = new ServiceBusStandIn();
        standIn.CreateQueue("orders");
        await using var transport = new ServiceBusTransport(new ServiceBusOptions { ConnectionString = standIn.ConnectionStringOf(standIn.Port, "d3Jvbmcga2V5") });

        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await transport.OpenSender("orders").SendAsync(default, "x"u8.ToArray(), Ct));
        var unheard = await Assert.ThrowsAsync<PostriderException>(async () => await transport.ListenAsync(new ServiceBusBinding("orders"), static (_, _) => default, Ct));
        var health = await transport.CheckHealthAsync(Ct);

        Assert.Equal((PostriderError.Configuration, PostriderError.Configuration, HealthStatus.Unhealthy), (refused.Error, unheard.Error, health.Status));
        Assert.All([refused.Message, unheard.Message, health.Description!], static text =>
        {
            Assert.Contains("rejects the credentials", text, StringComparison.Ordinal);
            Assert.Contains("InvalidSignature", text, StringComparison.Ordinal);
            Assert.DoesNotContain("d3Jvbmcga2V5", text, StringComparison.Ordinal);
        });
        Assert.Equal(0, standIn.Tokens.Count);
    }

    [Theory]
    [InlineData("SharedAccessSignature sr=sb%3A%2F%2Fother%2Forders&sig=eA%3D%3D&se=4102444800&skn=RootManageSharedAccessKey", "InvalidSignature")]
    [InlineData("SharedAccessSignature sr=sb%3A%2F%2Fother%2Forders&sig=eA%3D%3D&se=4102444800", "MalformedToken")]
    [InlineData("SharedAccessSignature sr=sb%3A%2F%2Fother%2Forders&sig=eA%3D%3D&se=1&skn=RootManageSharedAccessKey", "ExpiredToken")]
    [InlineData("another.jwt.token", "InvalidSignature")]
    public async Task Token_that_the_service_refuses_is_an_error_with_its_words(string token, string words)
    {
        await using var standIn = new ServiceBusStandIn();
        standIn.CreateQueue("orders");
        await using var transport = new ServiceBusTransport(Options(standIn, (_, _) => new(new ServiceBusToken(token, DateTimeOffset.MaxValue))));

        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await transport.OpenSender("orders").SendAsync(default, "x"u8.ToArray(), Ct));

        Assert.Contains(words, refused.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(token, refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Token_for_another_audience_is_refused()
    {
        await using var standIn = new ServiceBusStandIn();
        standIn.CreateQueue("orders");
        var expiry = DateTimeOffset.UtcNow.AddHours(1);
        await using var transport = new ServiceBusTransport(Options(standIn, (audience, _) => new(SharedAccessSignature.Create(audience.Replace("orders", "bills", StringComparison.Ordinal), StandInTokens.KeyName, StandInTokens.Key, expiry))));

        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await transport.OpenSender("orders").SendAsync(default, "x"u8.ToArray(), Ct));

        Assert.Contains("InvalidAudience", refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Provider_is_asked_with_the_audience_and_one_that_gives_an_expired_token_is_named()
    {
        await using var standIn = new ServiceBusStandIn();
        standIn.CreateQueue("orders");
        var asked = new List<string>();
        await using var transport = new ServiceBusTransport(Options(standIn, (audience, _) =>
        {
            asked.Add(audience);
            return new(new ServiceBusToken(StandInTokens.Jwt, asked.Count == 1 ? DateTimeOffset.UtcNow.AddHours(-1) : DateTimeOffset.UtcNow.AddHours(1)));
        }));

        var refused = await Assert.ThrowsAsync<PostriderException>(async () => await transport.OpenSender("orders").SendAsync(default, "x"u8.ToArray(), Ct));
        await transport.OpenSender("orders").SendAsync(default, "x"u8.ToArray(), Ct);

        Assert.Contains("ServiceBusOptions.TokenProvider returned a token", refused.Message, StringComparison.Ordinal);
        Assert.Equal([$"sb://127.0.0.1:{standIn.Port}/orders", $"sb://127.0.0.1:{standIn.Port}/orders"], asked);
    }

    [Fact]
    public async Task Signed_token_is_renewed_before_it_expires_and_the_link_goes_on()
    {
        var clock = new TestClock(DateTimeOffset.UtcNow);
        await using var standIn = new ServiceBusStandIn(clock);
        standIn.CreateQueue("orders");
        await using var transport = new ServiceBusTransport(new ServiceBusOptions { ConnectionString = standIn.ConnectionString, TokenLifetime = TimeSpan.FromHours(1) }, time: clock);
        await transport.OpenSender("orders").SendAsync(default, "1"u8.ToArray(), Ct);
        Assert.Equal(1, standIn.Tokens.Count);

        for (var hours = 2; hours < 5; hours++)
        {
            // The renewal has armed its timer.
            await Eventually.HoldsAsync(() => clock.UntilNextTimer <= TimeSpan.FromMinutes(49));
            clock.Advance(TimeSpan.FromMinutes(48));
            var count = hours;
            await Eventually.HoldsAsync(() => standIn.Tokens.Count == count);
        }

        await transport.OpenSender("orders").SendAsync(default, "2"u8.ToArray(), Ct);
        Assert.Equal(2, standIn.CountOf("orders"));
    }

    private static ServiceBusOptions Options(ServiceBusStandIn standIn, Func<string, CancellationToken, ValueTask<ServiceBusToken>> provider)
        => new() { ConnectionString = $"Endpoint=sb://127.0.0.1:{standIn.Port}/;UseDevelopmentEmulator=true", TokenProvider = provider };
}
