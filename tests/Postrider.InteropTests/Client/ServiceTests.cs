using Postrider.Client;
using Postrider.Client.Services;

namespace Postrider.InteropTests.Client;

public abstract class ServiceTests(IServerFixture fixture)
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(10);

    private readonly CancellationToken _ct = new CancellationTokenSource(Limit).Token;

    [Fact]
    public async Task Endpoint_answers_and_its_errors_have_codes()
    {
        await using var client = await fixture.ConnectAsync();
        await using var service = client.AddService(new ServiceOptions { Name = "half", Version = "1.0.0" })
            .AddEndpoint<int, int>("half", (request, _) => request.Data % 2 == 0
                ? ValueTask.FromResult(request.Data / 2)
                : throw new NatsServiceException(422, $"{request.Data} is odd"));

        var half = await client.RequestAsync<int, int>("half", 8, ct: _ct);
        var odd = await client.RequestAsync<int, ReadOnlyMemory<byte>>("half", 7, ct: _ct);
        var unreadable = await client.RequestAsync<string, ReadOnlyMemory<byte>>("half", "seven", ct: _ct);

        Assert.Equal(4, half.OrThrow().Data);
        Assert.Equal("422", odd.Headers!["Nats-Service-Error-Code"]);
        var error = Assert.Throws<NatsServiceException>(() => odd.OrThrow());
        Assert.Equal((422, "7 is odd"), (error.ServiceCode, error.Description));
        Assert.Equal(400, Assert.Throws<NatsServiceException>(() => unreadable.OrThrow()).ServiceCode);
        // A request is counted when its answer is on its way.
        await Eventually.HoldsAsync(() => service.Statistics.Endpoints.Single().Requests >= 3);
        var statistics = service.Statistics.Endpoints.Single();
        Assert.Equal((3, 2), (statistics.Requests, statistics.Errors));
        Assert.StartsWith("400:", statistics.LastError, StringComparison.Ordinal);
        Assert.True(statistics.ProcessingNanoseconds > 0);
    }

    [Fact]
    public async Task Services_are_found_with_their_endpoints_and_figures()
    {
        await using var client = await fixture.ConnectAsync();
        await using var first = Make(client);
        await using var second = Make(client);
        for (var i = 0; i < 10; i++) await client.RequestAsync<int, int>("math.v1.twice", i, ct: _ct);

        var both = new RequestManyOptions { MaxReplies = 2 };
        var pings = await ToListAsync(client.Services.PingAsync("twice", options: both, ct: _ct));
        var infos = await ToListAsync(client.Services.GetInfoAsync("twice", first.Id, new RequestManyOptions { MaxReplies = 1 }, _ct));
        var statistics = await ToListAsync(client.Services.GetStatisticsAsync("twice", options: both, ct: _ct));
        var nobody = await ToListAsync(client.Services.PingAsync("nobody", ct: _ct));

        Assert.Equal(new[] { first.Id, second.Id }.Order(), pings.Select(ping => ping.Id).Order());
        Assert.All(pings, ping => Assert.Equal(("io.nats.micro.v1.ping_response", "twice", "1.2.3"), (ping.Type, ping.Name, ping.Version)));
        var info = infos.Single();
        Assert.Equal("Doubles.", info.Description);
        Assert.Equal("yes", info.Metadata!["pure"]);
        Assert.Equal(("twice", "math.v1.twice", "q"), (info.Endpoints[0].Name, info.Endpoints[0].Subject, info.Endpoints[0].QueueGroup));
        Assert.Equal(10, statistics.Sum(one => one.Endpoints[0].Requests));
        Assert.Empty(nobody);
    }

    [Theory]
    [InlineData("two words", "1.0.0")]
    [InlineData("ok", "one")]
    public async Task Wrong_name_or_version_is_refused(string name, string version)
    {
        await using var client = await fixture.ConnectAsync();

        var error = Assert.Throws<NatsClientException>(() => client.AddService(new ServiceOptions { Name = name, Version = version }));

        Assert.Equal(NatsErrorCode.InvalidArgument, error.Code);
    }

    private static NatsService Make(Postrider.Client.NatsClient client)
    {
        var service = client.AddService(new ServiceOptions
        {
            Name = "twice",
            Version = "1.2.3",
            Description = "Doubles.",
            Metadata = new Dictionary<string, string> { ["pure"] = "yes" },
        });
        return service.AddGroup("math").AddGroup("v1").AddEndpoint<int, int>("twice", (request, _) => ValueTask.FromResult(request.Data * 2));
    }

    private static async Task<List<T>> ToListAsync<T>(IAsyncEnumerable<T> source)
    {
        var list = new List<T>();
        await foreach (var item in source) list.Add(item);
        return list;
    }
}
