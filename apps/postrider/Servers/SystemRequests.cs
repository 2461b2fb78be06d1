using System.CommandLine;
using System.Text.Json;
using Postrider.Client;

namespace Postrider.CommandLine.Servers;

/// <summary>Requests to the servers of a cluster by the subjects of the system account.</summary>
/// <param name="client">A client of a user in the system account.</param>
/// <param name="timeout">How long to wait for the first reply.</param>
/// <param name="expected">The number of servers; with 0, waits until no more replies arrive.</param>
internal sealed class SystemRequests(NatsClient client, TimeSpan timeout, int expected)
{
    // Servers of one cluster reply within a round trip; a loaded one may need longer.
    private static readonly TimeSpan s_idle = TimeSpan.FromMilliseconds(400);

    /// <summary>An option for the number of servers.</summary>
    internal static Option<int> Expect() => new Option<int>("--expect") { Description = "Number of servers to wait for; without it, until no more answer" }.AtLeast(1);

    /// <summary>How long to wait for one more reply: a number of servers that is expected is waited for until the time-out.</summary>
    internal static TimeSpan? IdleOf(int expected) => expected > 0 ? null : s_idle;

    /// <summary>Sends a request to every server.</summary>
    /// <param name="request">What to ask for, such as <c>VARZ</c>.</param>
    /// <param name="body">The options of the request as JSON; empty for none.</param>
    /// <param name="ct">Cancels the operation.</param>
    /// <returns>The replies, unchanged, sorted by the server's name.</returns>
    /// <exception cref="NatsClientException">No server replies, or a server rejects the request.</exception>
    internal Task<List<JsonElement>> ServersAsync(string request, string body, CancellationToken ct) => AskAsync($"$SYS.REQ.SERVER.PING.{request}", body, ct);

    /// <summary>Requests a page for every account that has connections.</summary>
    internal Task<List<JsonElement>> AccountsAsync(string request, string body, CancellationToken ct) => AskAsync($"$SYS.REQ.ACCOUNT.PING.{request}", body, ct);

    private async Task<List<JsonElement>> AskAsync(string subject, string body, CancellationToken ct)
    {
        var answers = new List<JsonElement>();
        try
        {
            var many = new RequestManyOptions { MaxReplies = expected, Timeout = timeout, Idle = IdleOf(expected) };
            await foreach (var answer in client.RequestManyAsync<string, byte[]>(subject, body, many, ct: ct))
                answers.Add(JsonDocument.Parse(answer.Data).RootElement);
        }
        catch (NatsNoRespondersException error)
        {
            throw new NatsClientException(error.Code, $"No server answers '{subject}'. The user must belong to the system account.", error);
        }
        if (answers.Count == 0) throw new NatsClientException(NatsErrorCode.RequestTimeout, $"No server answered '{subject}' within {Duration.Text(timeout)}.");
        foreach (var answer in answers)
            if (answer.TryGetProperty("error", out var refused)) throw new NatsClientException(NatsErrorCode.ServerError, $"Server {answer.At("server").Text("name")}: {refused.Text("description")}");
        if (answers.Count < expected) throw new NatsClientException(NatsErrorCode.RequestTimeout, $"{answers.Count} of {Quantity.Of(expected, "server")} answered '{subject}' within {Duration.Text(timeout)}: {string.Join(", ", answers.Select(static answer => answer.At("server").Text("name") ?? answer.Text("name")))}.");
        return [.. answers.OrderBy(static answer => answer.At("server").Text("name") ?? answer.Text("name"), StringComparer.Ordinal)];
    }
}
