using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net;
using System.Net.Http.Json;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using OpenTelemetry.Trace;
using Postrider.Broker;
using Postrider.Client;
using Postrider.Client.JetStream.Models;
using Postrider.OpenTelemetry;
using Postrider.Rpc.Hosting;
using ParcelDesk;
using ParcelDesk.Web;
using ParcelDesk.Worker;

namespace Postrider.HostingTests.Samples;

/// <summary>A web application and a worker as the hosting guide writes them, over a broker of this process.</summary>
public sealed class ParcelDeskTests : IAsyncLifetime
{
    private readonly string _database = Path.Combine(Directory.CreateTempSubdirectory("parcels").FullName, "parcels.db");
    private NatsBroker _broker = null!;

    private static CancellationToken Ct => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
        => _broker = await NatsBroker.StartAsync(new BrokerOptions { Port = BrokerOptions.RandomPort, JetStream = new JetStreamOptions { StoreDirectory = Directory.CreateTempSubdirectory("parcels").FullName } }, Ct);

    public async ValueTask DisposeAsync()
    {
        await _broker.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public async Task Parcel_is_accepted_stored_and_billed_in_one_trace()
    {
        List<Activity> activities = [];
        await using var web = Web(activities);
        await web.StartAsync(Ct);
        // Both are in this process: one provider records what both do.
        using var worker = Worker(web);
        await worker.StartAsync(Ct);
        using var http = Client(web);

        var receipt = await AcceptAsync(http, "Rome", 2);

        var ledger = worker.Services.GetRequiredService<Ledger>();
        await Eventually.HoldsAsync(() => ledger.Prices.ContainsKey(receipt.Number));
        Assert.Equal(500, ledger.Prices[receipt.Number]);
        await using (var scope = web.Services.CreateAsyncScope())
            Assert.Equal("Rome", (await scope.ServiceProvider.GetRequiredService<ParcelBook>().Parcels.FindAsync([receipt.Number], Ct))!.To);
        Assert.Equal("Healthy", await http.GetStringAsync("/health/ready", Ct));
        await worker.StopAsync(Ct);
        await web.StopAsync(Ct);

        List<Activity> all;
        lock (activities)
            all = [.. activities];
        var handling = Assert.Single(all, static activity => activity.OperationName.StartsWith("process ", StringComparison.Ordinal) && activity.OperationName.Contains("AcceptParcel", StringComparison.Ordinal));
        var trace = all.Where(activity => activity.TraceId == handling.TraceId).ToList();
        Assert.Equal(
            ["Microsoft.AspNetCore", "OpenTelemetry.Instrumentation.EntityFrameworkCore", "Postrider", "Postrider.Client", "Postrider.Rpc"],
            trace.Select(static activity => activity.Source.Name).Distinct().Order(StringComparer.Ordinal));
        // One tree: the request to the web server is its root, and all others have their parent in it.
        var spans = trace.Select(static activity => activity.SpanId).ToHashSet();
        var request = Assert.Single(trace, activity => !spans.Contains(activity.ParentSpanId));
        Assert.Equal(("Microsoft.AspNetCore", ActivityKind.Server), (request.Source.Name, request.Kind));
        Assert.Equal(request.SpanId, handling.ParentSpanId);
        Assert.Equal(handling.SpanId, Assert.Single(trace, static activity => activity.Source.Name == "OpenTelemetry.Instrumentation.EntityFrameworkCore").ParentSpanId);
        Assert.Equal(2, trace.Count(static activity => activity.Source.Name == "Postrider.Rpc"));
    }

    [Fact]
    public async Task Parcel_that_is_not_valid_is_a_400_with_the_member_and_leaves_nothing()
    {
        await using var web = Web();
        await web.StartAsync(Ct);
        using var http = Client(web);

        using var response = await http.PostAsJsonAsync("/parcels", new AcceptParcel("Rome", 31), ParcelsJson.Default.AcceptParcel, Ct);

        Assert.Equal(HttpStatusCode.BadRequest, response.StatusCode);
        Assert.Contains("""{"kilograms":["A parcel weighs at most 30 kg."]}""", await response.Content.ReadAsStringAsync(Ct), StringComparison.Ordinal);
        var stream = await web.Services.GetRequiredService<NatsClient>().CreateJetStreamContext().GetStreamAsync("PARCELS", ct: Ct);
        Assert.Equal(0UL, stream.Info.State.Messages);
        await web.StopAsync(Ct);
    }

    [Fact]
    public async Task Probes_say_when_the_broker_is_gone()
    {
        var file = Path.Combine(Path.GetDirectoryName(_database)!, "healthy");
        await using var web = Web();
        await web.StartAsync(Ct);
        using var worker = Worker(web, settings: ["--Health:File", file]);
        await worker.StartAsync(Ct);
        using var http = Client(web);
        await Eventually.HoldsAsync(() => File.Exists(file));

        await _broker.StopAsync();

        await Eventually.HoldsAsync(async () => await StatusAsync("/health/ready") == HttpStatusCode.ServiceUnavailable);
        Assert.Equal(HttpStatusCode.OK, await StatusAsync("/health/live"));
        await Eventually.HoldsAsync(() => !File.Exists(file));
        // Not stopped, only disposed: their clients would wait for the broker to drain.

        async Task<HttpStatusCode> StatusAsync(string path)
        {
            using var response = await http.GetAsync(path, Ct);
            return response.StatusCode;
        }
    }

    [Fact]
    public async Task Parcel_that_cannot_be_billed_becomes_a_dead_letter()
    {
        await using var web = Web();
        await web.StartAsync(Ct);
        using var worker = Worker(web);
        await worker.StartAsync(Ct);
        using var http = Client(web);

        await AcceptAsync(http, "", 2);

        var lost = worker.Services.GetRequiredService<NatsClient>().CreateJetStreamContext();
        await Eventually.HoldsAsync(async () => (await lost.GetStreamAsync("PARCELS_LOST", ct: Ct)).Info.State.Messages == 1);
        await worker.StopAsync(Ct);
        await web.StopAsync(Ct);
    }

    [Fact]
    public async Task Worker_with_a_wrong_token_bills_nothing()
    {
        await using var web = Web();
        await web.StartAsync(Ct);
        using var worker = Worker(web, token: "guessed");
        await worker.StartAsync(Ct);
        using var http = Client(web);

        await AcceptAsync(http, "Rome", 2);

        var lost = worker.Services.GetRequiredService<NatsClient>().CreateJetStreamContext();
        await Eventually.HoldsAsync(async () => (await lost.GetStreamAsync("PARCELS_LOST", ct: Ct)).Info.State.Messages == 1);
        Assert.Empty(worker.Services.GetRequiredService<Ledger>().Prices);
        await worker.StopAsync(Ct);
        await web.StopAsync(Ct);
    }

    [Fact]
    public async Task Nothing_is_lost_when_web_and_workers_stop_under_load()
    {
        var numbers = new ConcurrentQueue<string>();
        var billed = new HashSet<string>(StringComparer.Ordinal);
        for (var round = 0; round < 2; round++)
        {
            await using var web = Web();
            await web.StartAsync(Ct);
            using var worker = Worker(web);
            await worker.StartAsync(Ct);
            using var http = Client(web);
            var accepted = numbers.Count;
            var posting = Task.WhenAll(Enumerable.Range(0, 4).Select(_ => PostUntilRefusedAsync(http, numbers)));
            await Eventually.HoldsAsync(() => numbers.Count >= accepted + 20);

            // While parcels are posted, first the worker and then the desk.
            await worker.StopAsync(Ct);
            Assert.False(posting.IsCompleted);
            await web.StopAsync(Ct);
            await posting;
            billed.UnionWith(worker.Services.GetRequiredService<Ledger>().Prices.Keys);
        }

        await using var lastWeb = Web();
        await lastWeb.StartAsync(Ct);
        using var last = Worker(lastWeb);
        await last.StartAsync(Ct);
        var ledger = last.Services.GetRequiredService<Ledger>();
        await Eventually.HoldsAsync(() => numbers.All(number => billed.Contains(number) || ledger.Prices.ContainsKey(number)));
        await last.StopAsync(Ct);
        await lastWeb.StopAsync(Ct);

        Assert.Equal(numbers.Count, numbers.Distinct(StringComparer.Ordinal).Count());
    }

    // Until nobody listens any more. A parcel without a receipt may have been accepted or not: its sender would ask again.
    private static async Task PostUntilRefusedAsync(HttpClient http, ConcurrentQueue<string> numbers)
    {
        while (true)
        {
            try
            {
                using var response = await http.PostAsJsonAsync("/parcels", new AcceptParcel("Rome", 1), ParcelsJson.Default.AcceptParcel, Ct);
                if (response.IsSuccessStatusCode)
                    numbers.Enqueue((await response.Content.ReadFromJsonAsync(ParcelsJson.Default.Receipt, Ct))!.Number);
            }
            catch (HttpRequestException refused) when (refused.HttpRequestError == HttpRequestError.ConnectionError)
            {
                return;
            }
            catch (HttpRequestException)
            {
                // The connection ended with the request: the next one is refused.
            }
        }
    }

    private static async Task<Receipt> AcceptAsync(HttpClient http, string to, double kilograms)
    {
        using var response = await http.PostAsJsonAsync("/parcels", new AcceptParcel(to, kilograms), ParcelsJson.Default.AcceptParcel, Ct);
        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        return (await response.Content.ReadFromJsonAsync(ParcelsJson.Default.Receipt, Ct))!;
    }

    private static HttpClient Client(WebApplication app)
        => new() { BaseAddress = new Uri(app.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.First()) };

    private static void Trace(IServiceCollection services, List<Activity>? activities)
    {
        if (activities is not null)
            services.AddOpenTelemetry().WithTracing(tracing => tracing
                .AddAspNetCoreInstrumentation().AddEntityFrameworkCoreInstrumentation().AddPostriderInstrumentation().AddInMemoryExporter(new LockedList(activities)));
    }

    private WebApplication Web(List<Activity>? activities = null)
        => WebApp.Build(
            ["--urls", "http://127.0.0.1:0", "--Rates:Listen", "127.0.0.1:0", "--Rates:Token", "secret", "--Postrider:Client:Servers", _broker.Url!, "--Parcels:Database", $"Data Source={_database}"],
            builder =>
            {
                builder.Logging.ClearProviders();
                Trace(builder.Services, activities);
            });

    private IHost Worker(WebApplication web, string token = "secret", params string[] settings)
        => WorkerApp.Build(
            [
                "--Rates:Token", token, "--Postrider:Client:Servers", _broker.Url!,
                "--Postrider:Rpc:Channels:rates:Address", $"tcp://{web.Services.GetRequiredService<RpcSocketServerService>().Server.EndPoint}", .. settings,
            ],
            static builder => builder.Logging.ClearProviders());

    // Activities end on several threads.
    private sealed class LockedList(List<Activity> list) : ICollection<Activity>
    {
        public int Count => list.Count;

        public bool IsReadOnly => false;

        public void Add(Activity item)
        {
            lock (list)
                list.Add(item);
        }

        public void Clear() => list.Clear();

        public bool Contains(Activity item) => list.Contains(item);

        public void CopyTo(Activity[] array, int arrayIndex) => list.CopyTo(array, arrayIndex);

        public bool Remove(Activity item) => list.Remove(item);

        public IEnumerator<Activity> GetEnumerator() => list.GetEnumerator();

        System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => list.GetEnumerator();
    }
}
