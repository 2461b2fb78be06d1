using System.Text;
using System.Text.Json;
using Postrider.Broker.Accounts;
using Postrider.Broker.JetStream.Logging;
using Postrider.Broker.JetStream.Model;
using Postrider.Broker.JetStream.Serialization;
using Postrider.Broker.JetStream.Streams;
using Postrider.Broker.Routing;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Api;

/// <summary>One operation of the API in an account without JetStream, as an internal subscriber.</summary>
internal sealed class NotEnabledOperation(JetStreamEngine engine, Account account, string responseType) : IInternalSubscriber
{
    private const string EmptyPage = "\"total\":0,\"offset\":0,\"limit\":0";

    private readonly byte[] _answer = Render(responseType);

    /// <inheritdoc/>
    public bool IsImported => true;

    /// <inheritdoc/>
    public void Handle(
        IPublishingClient? publisher, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
    {
        if (!replyTo.IsEmpty) InternalPublisher.Publish(account.Subscriptions, replyTo, _answer, batch);
    }

    /// <inheritdoc/>
    public void OnFailed(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, Exception error, SendBatch batch)
        => StreamLog.RequestFailed(engine.Logger, Encoding.UTF8.GetString(subject), error);

    private static byte[] Render(string responseType)
    {
        var error = responseType.EndsWith("_peer_response", StringComparison.Ordinal)
            || responseType.EndsWith("_stepdown_response", StringComparison.Ordinal)
            || responseType.EndsWith("_move_response", StringComparison.Ordinal)
                ? ApiErrors.ClusterRequired
                : ApiErrors.NotEnabledForAccount;
        var answer = JsonSerializer.SerializeToUtf8Bytes(new ApiReply { Type = responseType, Error = error }, StreamJson.Default.ApiReply);
        return MembersOfErrors(responseType) is { } members ? [.. answer[..^1], (byte)',', .. Encoding.ASCII.GetBytes(members), (byte)'}'] : answer;
    }

    // Members that nats-server writes in errors too.
    private static string? MembersOfErrors(string responseType) => responseType[(responseType.LastIndexOf('.') + 1)..] switch
    {
        "stream_names_response" => EmptyPage + ",\"streams\":null",
        "stream_list_response" => EmptyPage + ",\"streams\":[]",
        "stream_info_response" => EmptyPage,
        "stream_purge_response" => "\"purged\":0",
        "stream_restore_response" => "\"deliver_subject\":\"\"",
        "consumer_names_response" or "consumer_list_response" => EmptyPage + ",\"consumers\":[]",
        "consumer_pause_response" => "\"paused\":false,\"pause_until\":\"0001-01-01T00:00:00Z\"",
        _ => null,
    };
}
