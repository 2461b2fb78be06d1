using System.Buffers;
using System.Text;
using System.Text.Json;
using Postrider.Broker.Accounts;
using Postrider.Broker.Routing;
using Postrider.Broker.Sessions;
using Postrider.Sockets;

namespace Postrider.Broker.Hosting;

/// <summary>Answers <c>$SYS.REQ.USER.INFO</c>: the user of the requesting connection and its permissions.</summary>
internal sealed class UserInfoService(SessionContext context, Account account) : IInternalSubscriber
{
    /// <summary>The subject of the service.</summary>
    public static ReadOnlySpan<byte> SubjectBytes => "$SYS.REQ.USER.INFO"u8;

    /// <inheritdoc/>
    public bool IsImported => true;

    /// <inheritdoc/>
    public void Handle(
        IPublishingClient? publisher,
        ReadOnlySpan<byte> subject,
        ReadOnlySpan<byte> replyTo,
        ReadOnlySpan<byte> headers,
        ReadOnlySpan<byte> payload,
        SendBatch batch)
    {
        if (publisher is null || replyTo.IsEmpty) return;
        var answer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(answer, new JsonWriterOptions { Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping }))
        {
            json.WriteStartObject();
            ServerJson.Write(json, context);
            json.WriteStartObject("data");
            json.WriteString("user", publisher.UserName ?? "");
            json.WriteString("account", publisher.AccountName);
            json.WriteString("account_name", context.Accounts.Find(publisher.AccountName)?.NameTag ?? publisher.AccountName);
            var details = publisher.Details;
            if (!string.IsNullOrEmpty(details.NameTag)) json.WriteString("user_name", details.NameTag);
            if (publisher.Permissions is { } permissions) WritePermissions(json, permissions);
            // Whole seconds in nanoseconds, as nats-server writes durations.
            if (details.EndsAt - context.Time.GetUtcNow() is { TotalSeconds: >= 1 } left) json.WriteNumber("expires", (long)left.TotalSeconds * 1_000_000_000);
            json.WriteEndObject();
            json.WriteEndObject();
        }
        InternalPublisher.Publish(account.Subscriptions, replyTo, answer.WrittenSpan, batch);
    }

    /// <inheritdoc/>
    public void OnFailed(ReadOnlySpan<byte> subject, ReadOnlySpan<byte> replyTo, Exception error, SendBatch batch)
        => BrokerLog.ServiceFailed(context.Logger, Encoding.UTF8.GetString(subject), error);

    private static void WritePermissions(Utf8JsonWriter json, PermissionOptions permissions)
    {
        json.WriteStartObject("permissions");
        WriteDirection(json, "publish", permissions.Publish);
        WriteDirection(json, "subscribe", permissions.Subscribe);
        if (permissions.Responses is { } responses)
        {
            json.WriteStartObject("responses");
            json.WriteNumber("max", responses.MaxMessages);
            // In nanoseconds, as nats-server writes durations.
            json.WriteNumber("ttl", responses.Expires.Ticks * 100);
            json.WriteEndObject();
        }
        json.WriteEndObject();
    }

    private static void WriteDirection(Utf8JsonWriter json, string name, SubjectPermission? permission)
    {
        if (permission is null) return;
        json.WriteStartObject(name);
        WriteList(json, "allow", permission.Allow);
        WriteList(json, "deny", permission.Deny);
        json.WriteEndObject();
    }

    private static void WriteList(Utf8JsonWriter json, string name, IReadOnlyList<string>? subjects)
    {
        if (subjects is not { Count: > 0 }) return;
        json.WriteStartArray(name);
        foreach (var subject in subjects) json.WriteStringValue(subject);
        json.WriteEndArray();
    }
}
