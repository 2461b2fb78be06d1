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

/// <summary>Handles requests for streams in the system account, which has none.</summary>
/// <remarks>Source: nats-server, JetStream API of the system account.</remarks>
internal sealed class SystemJetStreamApi(JetStreamEngine engine, Account account) : IInternalSubscriber
{
    private const string Prefix = "$JS.API.";
    private const string Types = "io.nats.jetstream.api.v1.";

    /// <summary>Serves the API.</summary>
    public static void Map(JetStreamEngine engine, Account account)
    {
        var subject = Encoding.ASCII.GetBytes(Prefix + ">");
        account.Subscriptions.Add(subject, [], new Subscription(new SystemJetStreamApi(engine, account), subject, []));
    }

    /// <inheritdoc/>
    public void Handle(
        IPublishingClient? publisher, ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> headers, ReadOnlySpan<byte> payload, SendBatch batch)
    {
        if (replyTo.IsEmpty) return;
        var operation = subject[Prefix.Length..];
        // For clusters: no response on a single server.
        if (operation.StartsWith("META."u8) || operation.StartsWith("SERVER."u8) || operation.StartsWith("ACCOUNT."u8)) return;
        var type = operation.SequenceEqual("INFO"u8) ? "account_info_response" : "system_response";
        var answer = JsonSerializer.SerializeToUtf8Bytes(new ApiReply { Type = Types + type, Error = ApiErrors.NotEnabledForAccount }, StreamJson.Default.ApiReply);
        InternalPublisher.Publish(account.Subscriptions, replyTo, answer, batch);
    }

    /// <inheritdoc/>
    public void OnFailed(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, Exception error, SendBatch batch)
        => StreamLog.RequestFailed(engine.Logger, Encoding.UTF8.GetString(subject), error);
}
