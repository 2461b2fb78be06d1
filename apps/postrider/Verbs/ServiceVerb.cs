using System.CommandLine;
using Postrider.Client;
using Postrider.Client.Services;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider service</c>: services of the NATS services protocol.</summary>
/// <remarks>Source: ADR-32 of nats-io/nats-architecture-and-design.</remarks>
internal static class ServiceVerb
{
    // Instances reply within a round trip; a loaded one may need longer.
    private static readonly TimeSpan s_idle = TimeSpan.FromMilliseconds(400);

    internal static Command Create() => new("service", "Show services.") { List(), Info(), Statistics(), Ping() };

    private static Argument<string?> Name() => new("name") { Description = "The service; all when omitted", Arity = ArgumentArity.ZeroOrOne };

    private static Argument<string?> Id() => new("id") { Description = "One instance", Arity = ArgumentArity.ZeroOrOne };

    private static RequestManyOptions Many(JetStreamVerb.Call call, bool isOne) => new() { Idle = s_idle, MaxReplies = isOne ? 1 : 0, Timeout = call.Client.Options.RequestTimeout };

    private static Command List()
    {
        var name = Name();
        return JetStreamVerb.Create("ls", """
            List the instances of services.
              postrider service ls
            """, RunAsync, name);

        async Task RunAsync(JetStreamVerb.Call call, CancellationToken ct)
        {
            var found = await Found(call.Client.Services.GetInfoAsync(call.Get(name), null, Many(call, false), ct), call.Get(name), ct);
            await call.WriteAllAsync(
                found.ToAsyncEnumerable(),
                static service => JsonText.Object(("name", service.Name), ("version", service.Version), ("id", service.Id), ("description", service.Description), ("endpoints", service.Endpoints.Select(static endpoint => endpoint.Subject))),
                new TextTable("Name", "Version", "Id", " Endpoints", "Description"),
                static (rows, service) => rows.Add(service.Name, service.Version, service.Id, Quantity.Text(service.Endpoints.Count), service.Description));
        }
    }

    private static Command Info()
    {
        var (name, id) = (Name(), Id());
        name.Arity = ArgumentArity.ExactlyOne;
        name.Description = "The service";
        return JetStreamVerb.Create("info", """
            Show a service, its instances and endpoints.
              postrider service info orders
            """, RunAsync, name, id);

        async Task RunAsync(JetStreamVerb.Call call, CancellationToken ct)
        {
            foreach (var service in await Found(call.Client.Services.GetInfoAsync(call.Get(name), call.Get(id), Many(call, call.Get(id) is not null), ct), call.Get(name), ct))
            {
                var text = new DetailsText().Add("Name", service.Name).Add("Version", service.Version).Add("Id", service.Id).Add("Description", service.Description);
                foreach (var (key, value) in service.Metadata ?? new Dictionary<string, string>()) text.Add(key, value);
                foreach (var endpoint in service.Endpoints)
                    text.Section($"Endpoint {endpoint.Name}").Add("Subject", endpoint.Subject).Add("Queue Group", endpoint.QueueGroup);
                await call.WriteAsync(
                    JsonText.Object(("name", service.Name), ("version", service.Version), ("id", service.Id), ("description", service.Description), ("endpoints", service.Endpoints.Select(static endpoint => endpoint.Subject))),
                    text.ToString());
            }
        }
    }

    private static Command Statistics()
    {
        var (name, id) = (Name(), Id());
        return JetStreamVerb.Create("stats", """
            Show the requests, errors and times of each endpoint.
              postrider service stats orders
            """, RunAsync, name, id);

        async Task RunAsync(JetStreamVerb.Call call, CancellationToken ct)
        {
            var found = await Found(call.Client.Services.GetStatisticsAsync(call.Get(name), call.Get(id), Many(call, call.Get(id) is not null), ct), call.Get(name), ct);
            await call.WriteAllAsync(
                found.SelectMany(static service => service.Endpoints.Select(endpoint => (Service: service, Endpoint: endpoint))).ToAsyncEnumerable(),
                static pair => JsonText.Object(
                    ("name", pair.Service.Name), ("id", pair.Service.Id), ("endpoint", pair.Endpoint.Name), ("subject", pair.Endpoint.Subject), ("queue_group", pair.Endpoint.QueueGroup),
                    ("requests", pair.Endpoint.Requests), ("errors", pair.Endpoint.Errors), ("processing_ns", pair.Endpoint.ProcessingNanoseconds), ("average_ns", pair.Endpoint.AverageProcessingNanoseconds), ("last_error", pair.Endpoint.LastError)),
                new TextTable("Service", "Id", "Endpoint", " Requests", " Errors", "Average", "Last Error").MarkNumbers("Errors", CellState.Bad).MarkNumbers("Last Error", CellState.Bad),
                static (rows, pair) => rows.Add(
                    pair.Service.Name, pair.Service.Id, pair.Endpoint.Name, Quantity.Text(pair.Endpoint.Requests), Quantity.Text(pair.Endpoint.Errors), Duration.Show(TimeSpan.FromMicroseconds(pair.Endpoint.AverageProcessingNanoseconds / 1000.0)), pair.Endpoint.LastError ?? ""));
        }
    }

    private static Command Ping()
    {
        var name = Name();
        return JetStreamVerb.Create("ping", """
            Show which instances respond, and how fast.
              postrider service ping orders
            """, RunAsync, name);

        async Task RunAsync(JetStreamVerb.Call call, CancellationToken ct)
        {
            var began = TimeProvider.System.GetTimestamp();
            var count = 0;
            try
            {
                await foreach (var service in call.Client.Services.PingAsync(call.Get(name), null, Many(call, false), ct))
                {
                    var time = TimeProvider.System.GetElapsedTime(began);
                    count++;
                    await call.WriteAsync(
                        JsonText.Object(("name", service.Name), ("version", service.Version), ("id", service.Id), ("rtt_ms", time.TotalMilliseconds)), $"{service.Name} {service.Version} {service.Id}: {Duration.Show(time)}");
                }
            }
            catch (NatsNoRespondersException)
            {
            }
            if (count == 0) throw NotFound(call.Get(name));
        }
    }

    private static async Task<List<T>> Found<T>(IAsyncEnumerable<T> services, string? name, CancellationToken ct)
        where T : ServicePing
    {
        var found = new List<T>();
        try
        {
            await foreach (var service in services.WithCancellation(ct)) found.Add(service);
        }
        catch (NatsNoRespondersException)
        {
        }
        return found.Count > 0 ? [.. found.OrderBy(static service => service.Name, StringComparer.Ordinal).ThenBy(static service => service.Id, StringComparer.Ordinal)] : throw NotFound(name);
    }

    private static NatsClientException NotFound(string? name)
        => new(NatsErrorCode.NotFound, name is null ? "No service answered." : $"No instance of service '{name}' answered.");
}
