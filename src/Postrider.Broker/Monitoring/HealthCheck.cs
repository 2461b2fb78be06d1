using System.Text.Json.Nodes;

namespace Postrider.Broker.Monitoring;

/// <summary>Checks the server, and whether an account, a stream or a consumer exists.</summary>
/// <remarks>Source: nats-server's <c>/healthz</c>.</remarks>
internal sealed class HealthCheck(IBrokerState state)
{
    private const int NotFound = 404;
    private const int BadRequest = 400;
    private const int Unavailable = 503;

    /// <summary>The page for a query.</summary>
    public HealthzPage Read(HealthzQuery query)
    {
        if (!query.ServerOnly && FindContradiction(query) is { } contradiction)
            return Page("error", BadRequest, new HealthzError { Type = "BAD_REQUEST", Error = contradiction }, query);
        if (state.HealthProblem is { } problem) return new HealthzPage { Status = "unavailable", Error = problem, StatusCode = Unavailable };
        if (!query.ServerOnly && FindMissing(query) is { } missing) return Page("unavailable", NotFound, missing, query);
        return state.HealthWarning is { } warning ? new HealthzPage { Status = "degraded", Error = warning } : new HealthzPage { Status = "ok" };
    }

    private static HealthzPage Page(string status, int code, HealthzError problem, HealthzQuery query)
        => query.Details
            ? new() { Status = "error", StatusCode = code, Errors = [problem] }
            : new() { Status = status, StatusCode = code, Error = problem.Error };

    private static string? FindContradiction(HealthzQuery query)
    {
        if (query.Consumer.Length > 0 && query.Stream.Length == 0) return "\"stream\" must not be empty when checking consumer health";
        return query.Stream.Length > 0 && query.Account.Length == 0 ? "\"account\" must not be empty when checking stream health" : null;
    }

    private HealthzError? FindMissing(HealthzQuery query)
    {
        var (account, stream, consumer) = (query.Account, query.Stream, query.Consumer);
        // Without JetStream nothing but the server is checked.
        if (account.Length == 0 || state.ReadJetStream() is null) return null;
        var found = state.ReadJetStreamDetails(new JszQuery { Account = account, Streams = true, Consumers = true })?.FirstOrDefault();
        if (found?["id"]?.GetValue<string>() != account)
            return new() { Type = "ACCOUNT", Account = account, Error = $"JetStream account {GoQuote.Quote(account)} not found" };
        if (stream.Length == 0) return null;
        if (Named(found["stream_detail"], stream) is not { } there)
            return new() { Type = "STREAM", Account = account, Stream = stream, Error = $"JetStream stream {GoQuote.Quote(stream)} not found on account {GoQuote.Quote(account)}" };
        if (consumer.Length == 0 || Named(there["consumer_detail"], consumer) is not null) return null;
        return new()
        {
            Type = "CONSUMER",
            Account = account,
            Stream = stream,
            Consumer = consumer,
            Error = $"JetStream consumer {GoQuote.Quote(consumer)} not found for stream {GoQuote.Quote(stream)} on account {GoQuote.Quote(account)}",
        };
    }

    private static JsonNode? Named(JsonNode? list, string name) => (list as JsonArray)?.FirstOrDefault(one => one!["name"]?.GetValue<string>() == name);
}
