using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Postrider.Broker.Accounts;
using Postrider.Broker.Routing;
using Postrider.Broker.Sessions;

namespace Postrider.Broker.Hosting;

/// <summary>Writes the responses to requests about accounts' tokens, in nats-server's form.</summary>
/// <remarks>Thread-safe.</remarks>
/// <param name="context">The broker's context.</param>
/// <param name="system">The system account.</param>
internal sealed class ClaimsAnswers(SessionContext context, Account system)
{
    private const int Succeeded = 200;
    private const int Failed = 500;

    private static readonly JsonWriterOptions Options = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>Responds with the result of an update or a deletion.</summary>
    /// <param name="replyTo">The reply subject; empty for none.</param>
    /// <param name="account">The account; empty for several.</param>
    /// <param name="message">The action that was done or tried.</param>
    /// <param name="problem">Why it failed; null on success.</param>
    public void Send(string replyTo, string account, string message, string? problem)
    {
        if (problem is null) BrokerLog.ClaimsDone(context.Logger, message, account);
        else BrokerLog.ClaimsRefused(context.Logger, message, account, problem);
        SendJson(replyTo, json =>
        {
            ServerJson.Write(json, context);
            json.WriteStartObject(problem is null ? "data" : "error");
            if (account.Length > 0) json.WriteString("account", account);
            json.WriteNumber("code", problem is null ? Succeeded : Failed);
            if (problem is null) json.WriteString("message", message);
            else json.WriteString("description", $"{message} - {problem}");
            json.WriteEndObject();
        });
    }

    /// <summary>Responds with the list of accounts.</summary>
    public void SendList(string replyTo, IEnumerable<string> keys) => SendJson(replyTo, json =>
    {
        json.WriteStartArray("data");
        foreach (var key in keys) json.WriteStringValue(key);
        json.WriteEndArray();
        ServerJson.Write(json, context);
    });

    /// <summary>Responds with the given bytes.</summary>
    public void Send(string replyTo, ReadOnlySpan<byte> payload)
    {
        if (replyTo.Length == 0) return;
        context.Batches.Run((Subject: Encoding.UTF8.GetBytes(replyTo), Payload: payload.ToArray(), System: system), static (answer, batch)
            => InternalPublisher.Publish(answer.System.Subscriptions, answer.Subject, answer.Payload, batch));
    }

    private void SendJson(string replyTo, Action<Utf8JsonWriter> write)
    {
        if (replyTo.Length == 0) return;
        var text = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(text, Options))
        {
            json.WriteStartObject();
            write(json);
            json.WriteEndObject();
        }
        Send(replyTo, text.WrittenSpan);
    }
}
