using System.CommandLine;
using System.Text.Json;
using Postrider.Client;
using Postrider.Client.JetStream;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider account</c>.</summary>
internal static class AccountVerb
{
    internal static Command Create() => new("account", "Show the account of the user.") { Info() };

    private static Command Info() => JetStreamVerb.Create("info", """
        Show the user, the account, and its use of JetStream.
          postrider account info
        """, static async (call, ct) =>
        {
            var user = JsonDocument.Parse((await call.Client.RequestAsync<byte[]>("$SYS.REQ.USER.INFO", ct: ct)).Data).RootElement.At("data");
            var trip = await call.Client.PingAsync(ct);
            Postrider.Client.JetStream.Models.AccountInfo? account = null;
            try
            {
                account = await call.Streams.GetAccountInfoAsync(ct);
            }
            catch (NatsClientException error) when (error.Code is NatsErrorCode.JetStreamUnavailable or NatsErrorCode.NoResponders or NatsErrorCode.JetStreamError)
            {
                // JetStream is off for the account or the server.
            }
            var info = call.Client.ServerInfo!;
            var text = new DetailsText()
                .Add("User", user.Text("user"))
                .Add("Account", user.Text("account"))
                .Add("Expires", user.Number("expires") is > 0 and var left ? $"in {Duration.Text(TimeSpan.FromMicroseconds(left / 1000.0))}" : "never")
                .Add("Server", $"{info.ServerName} {info.Version}")
                .Add("Cluster", info.Cluster)
                .Add("Client Id", (ulong)info.ClientId)
                .Add("Client IP", info.ClientIp)
                .Add("Round Trip", Duration.Show(trip))
                .Add("Maximum Payload", ByteSize.Text(info.MaxPayload));
            if (account is not null) AddJetStream(text.Section("JetStream"), account);
            await call.WriteAsync(
                JsonText.Object(
                    ("user", user.ValueKind == JsonValueKind.Object ? user : null), ("server", info.ServerName), ("client_id", (long)info.ClientId), ("rtt_ms", trip.TotalMilliseconds),
                    ("jetstream", account is null ? null : JsonDocument.Parse(ApiText.Write(account)).RootElement)),
                account is null ? $"{text}\n\nJetStream is not enabled for this account." : text.ToString());
        });

    private static void AddJetStream(DetailsText text, Postrider.Client.JetStream.Models.AccountInfo account) => text
        .Add("Domain", account.Domain)
        .Add("Memory", Of(ByteSize.Text((long)account.Memory), account.Limits.MaxMemory, ByteSize.Text))
        .Add("Disk", Of(ByteSize.Text((long)account.Storage), account.Limits.MaxStorage, ByteSize.Text))
        .Add("Streams", Of(Quantity.Text(account.Streams), account.Limits.MaxStreams, Quantity.Text))
        .Add("Consumers", Of(Quantity.Text(account.Consumers), account.Limits.MaxConsumers, Quantity.Text))
        .Add("API Requests", account.Api.Total)
        .Add("API Errors", account.Api.Errors);

    private static string Of(string used, long limit, Func<long, string> show) => limit > 0 ? $"{used} of {show(limit)}" : $"{used} of unlimited";
}
