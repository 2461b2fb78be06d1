using System.Buffers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using Postrider.Broker.Accounts;
using Postrider.Broker.Routing;
using Postrider.Broker.Sessions;

namespace Postrider.Broker.Hosting;

/// <summary>Writes the answers to requests about accounts' tokens, in nats-server's form.</summary>
/// <remarks>Thread-safe.</remarks>
/// <param name="context">The broker's.</param>
/// <param name="system">The system account.</param>
internal sealed class ClaimsAnswers(SessionContext context, Account system)
{
    private const int Succeeded = 200;
    private const int Failed = 500;

    private static readonly JsonWriterOptions Options = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    /// <summary>Answers that an update or a deletion was done, or why not.</summary>
    /// <param name="replyTo">The reply subject; empty for none.</param>
    /// <param name="account">The account; empty where there are several.</param>
    /// <param name="message">What was done or tried.</param>
    /// <param name="problem">Why it failed; null when it did not.</param>
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

    /// <summary>Answers with the accounts that there are.</summary>
    public void SendList(string replyTo, IEnumerable<string> keys) => SendJson(replyTo, json =>
    {
        json.WriteStartArray("data");
        foreach (var key in keys) json.WriteStringValue(key);
        json.WriteEndArray();
        ServerJson.Write(json, context);
    });

    /// <summary>Answers with bytes as they are.</summary>
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
