using System.Buffers;
using System.Text.Json.Serialization.Metadata;
using Postrider.Client.Requests;
using Postrider.Client.Sessions;
using Postrider.Serialization;

namespace Postrider.Client.JetStream.Api;

/// <summary>Sends requests to the JetStream API.</summary>
/// <param name="session">The connection.</param>
/// <param name="requester">Sends the requests.</param>
/// <param name="prefix">The prefix of every operation, such as <c>$JS.API</c>.</param>
/// <param name="timeout">How long to wait for a reply.</param>
internal sealed class ApiClient(NatsSession session, Requester requester, string prefix, TimeSpan timeout)
{
    private static readonly SearchValues<char> NotInNames = SearchValues.Create(" .*>/\\\t\r\n\0");

    public NatsSession Session { get; } = session;

    public Requester Requester { get; } = requester;

    public string Prefix { get; } = prefix;

    public TimeSpan Timeout { get; } = timeout;

    /// <summary>Sends a request with a value.</summary>
    /// <exception cref="JetStreamException">JetStream rejected the request.</exception>
    /// <exception cref="NatsClientException">There is no JetStream, no reply in time, or the errors of a request.</exception>
    public Task<TReply> CallAsync<TRequest, TReply>(
        string operation, TRequest request, JsonTypeInfo<TRequest> requestType, JsonTypeInfo<TReply> replyType, CancellationToken ct)
        => SendRequestAsync(operation, request, new JsonTypeSerializer<TRequest>(requestType), replyType, ct);

    /// <summary>Sends a request with an empty payload.</summary>
    /// <exception cref="NatsClientException">The errors of a request with a value.</exception>
    public Task<TReply> CallAsync<TReply>(string operation, JsonTypeInfo<TReply> replyType, CancellationToken ct)
        => SendRequestAsync(operation, ReadOnlyMemory<byte>.Empty, null, replyType, ct);

    /// <summary>Rejects a name that would change the subject.</summary>
    /// <exception cref="NatsClientException">The name is empty or has a forbidden character.</exception>
    public static void CheckName(string what, string name)
    {
        if (string.IsNullOrEmpty(name) || name.AsSpan().ContainsAny(NotInNames))
            throw new NatsClientException(NatsErrorCode.InvalidArgument, $"{what} name '{name}' is empty or contains whitespace, a dot, a wildcard or a slash.");
    }

    /// <summary>The error when the JetStream API has no responders.</summary>
    public static NatsClientException Unavailable(string subject, Exception inner)
    {
        // A subject of messages has no responders if no stream has it either.
        var reason = subject.StartsWith("$JS.", StringComparison.Ordinal)
            ? "JetStream is not enabled on the server or for the account, or no server of the domain is reachable. Start the server with -js or with jetstream {} in its configuration, an embedded broker with BrokerOptions.JetStream set."
            : "no JetStream server is reachable, JetStream is not enabled for the account, or no stream has the subject.";
        return new(NatsErrorCode.JetStreamUnavailable, $"No responders on '{subject}': {reason}", inner);
    }

    private async Task<TReply> SendRequestAsync<TRequest, TReply>(
        string operation, TRequest request, Serializer<TRequest>? serializer, JsonTypeInfo<TReply> replyType, CancellationToken ct)
    {
        var subject = $"{Prefix}.{operation}";
        try
        {
            var message = await Requester.RequestAsync(
                subject, request, Timeout, null, serializer, new ApiReplySerializer<TReply>(replyType), ct).ConfigureAwait(false);
            var reply = message.Data;
            if (reply.Error is { } error) throw new JetStreamException(error.Code, error.ErrorCode, error.Description ?? "", operation);
            return reply.Value;
        }
        catch (NatsNoRespondersException error)
        {
            throw Unavailable(subject, error);
        }
    }
}
