using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Postrider.Configuration;
using Postrider.Serialization;
using Postrider.Transport.Grpc;
using Postrider.Transports;

namespace Postrider.TransportTests.Grpc;

/// <summary>Options and bindings that cannot work are refused with what to change.</summary>
public sealed class GrpcOptionsTests
{
    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public static TheoryData<Action<GrpcOptions>, string> Wrong => new()
    {
        { static o => o.Address = new Uri("ftp://inbox"), "Address is 'ftp://inbox/' and must be of the form" },
        { static o => o.Address = new Uri("http://inbox:5000/path"), "without a path" },
        { static o => o.Throughput.MaxInFlight = 0, "Throughput.MaxInFlight is 0" },
        { static o => o.Throughput.MaxWaiting = -1, "Throughput.MaxWaiting is -1" },
        { static o => o.Throughput.MaxBatchInFlight = 0, "Throughput.MaxBatchInFlight is 0" },
        { static o => o.Throughput.WindowBytes = 1, "Throughput.WindowBytes is 1" },
        { static o => o.Retry.SendAttempts = 0, "Retry.SendAttempts is 0" },
        { static o => o.Retry.MaxPause = TimeSpan.Zero, "Retry.MaxPause is 00:00:00" },
        { static o => o.Retry.CallTimeout = TimeSpan.Zero, "Retry.CallTimeout is 00:00:00" },
        { static o => o.Retry.SendTimeout = TimeSpan.FromSeconds(1), "must be at least Retry.CallTimeout (00:00:30)" },
        { static o => o.Retry.RefusedPause = TimeSpan.FromSeconds(-1), "Retry.RefusedPause is -00:00:01" },
        { static o => o.Poison.MaxBodyBytes = 0, "Poison.MaxBodyBytes is 0" },
        { static o => o.Poison.MaxHeaderBytes = 10, "Poison.MaxHeaderBytes is 10" },
        { static o => o.Observability.ProbeTimeout = TimeSpan.Zero, "Observability.ProbeTimeout is 00:00:00" },
        { static o => (o.Address, o.Security.Token) = (new Uri("http://inbox:5000"), static _ => new("t")), "use an https address, because anyone on the network path could read the token" },
        { static o => (o.Address, o.Security.CaFile) = (new Uri("http://inbox:5000"), "ca.pem"), "does not use TLS: use an https address, or remove CaFile" },
        { static o => (o.Address, o.Security.CaFile) = (new Uri("https://inbox:5000"), "/missing.pem"), "Security.CaFile '/missing.pem' does not exist" },
        { static o => (o.Address, o.Security.CertificateFile) = (new Uri("https://inbox:5000"), "/missing.pem"), "belong together" },
    };

    [Theory]
    [MemberData(nameof(Wrong))]
    public void Option_out_of_range_is_named(Action<GrpcOptions> spoil, string words)
    {
        var options = new GrpcOptions();
        spoil(options);

        var refused = Assert.Throws<PostriderException>(() => new GrpcTransport(options));

        Assert.Equal(PostriderError.Configuration, refused.Error);
        Assert.Contains(words, refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Address", "amqp://inbox", "must be an address such as https://inbox.example:5001")]
    [InlineData("Throughput:MaxInFlight", "many", "many")]
    [InlineData("Retry:CallTimeout", "soon", "soon")]
    [InlineData("Retries:CallTimeout", "1s", "Retries")]
    public void Configuration_that_is_wrong_is_named_with_its_key(string key, string value, string words)
    {
        var section = new ConfigurationBuilder().AddInMemoryCollection([new($"Inbox:{key}", value)]).Build().GetSection("Inbox");
        using var services = new ServiceCollection().AddPostrider().AddGrpcTransport("inbox", TextSerializerProvider.Instance, section).Services.BuildServiceProvider();

        var wrong = Assert.Throws<InvalidConfigurationException>(() => services.GetRequiredKeyedService<ITransport>("inbox"));

        Assert.Contains(words, wrong.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Configuration_sets_the_profiles()
    {
        var values = new Dictionary<string, string?>(StringComparer.Ordinal)
        {
            ["Inbox:Address"] = "http://127.0.0.1:9",
            ["Inbox:Throughput:MaxInFlight"] = "7",
            ["Inbox:Retry:SendAttempts"] = "1",
            ["Inbox:Poison:MaxBodyBytes"] = "1000",
            ["Inbox:Observability:ProbeTimeout"] = "1s",
        };
        GrpcOptions? read = null;
        await using var services = new ServiceCollection().AddPostrider()
            .AddGrpcTransport("inbox", TextSerializerProvider.Instance, new ConfigurationBuilder().AddInMemoryCollection(values).Build().GetSection("Inbox"), options => read = options)
            .Services.BuildServiceProvider();

        var sender = services.GetRequiredKeyedService<ITransport>("inbox").OpenSender("orders");

        Assert.Equal((7, 1, 1000, TimeSpan.FromSeconds(1)), (read!.Throughput.MaxInFlight, read.Retry.SendAttempts, read.Poison.MaxBodyBytes, read.Observability.ProbeTimeout));
        Assert.Equal(1000, sender.MaxBodyBytes);
    }

    [Fact]
    public async Task What_cannot_work_is_refused_before_the_first_message()
    {
        await using var transport = new GrpcTransport(new GrpcOptions());

        var unmapped = await Assert.ThrowsAsync<PostriderException>(async () => await transport.ListenAsync(new GrpcBinding("orders"), static (_, _) => default, Ct));
        var nowhere = Assert.Throws<PostriderException>(() => transport.OpenSender("orders"));
        var letters = Assert.Throws<PostriderException>(() => ((ITransport)transport).OpenDeadLetters("dead"));

        Assert.Contains("call MapGrpcTransport", unmapped.Message, StringComparison.Ordinal);
        Assert.Contains("set GrpcOptions.Address", nowhere.Message, StringComparison.Ordinal);
        Assert.Contains("does not keep dead letters", letters.Message, StringComparison.Ordinal);
        Assert.Equal(HealthStatus.Unhealthy, (await transport.CheckHealthAsync(Ct)).Status);
    }
}
