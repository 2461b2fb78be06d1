using System.Text.Json;
using System.Text.RegularExpressions;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.SystemAccount;

/// <summary>Requests to another account that wait for an answer, as <c>$SYS.REQ.ACCOUNT.*.INFO</c> shows them beside Go's server.</summary>
public sealed partial class PendingAnswersTests
{
    private const string Accounts = """
        server_name: srv
        system_account: SYS
        accounts {
          SYS { users: [{user: sys, password: p}] }
          A {
            users: [{user: a, password: p}]
            exports: [{service: "svc.>"}, {service: several, response: stream}, {service: measured, latency: {sampling: 100%, subject: lat}}, {service: asked, latency: {sampling: headers, subject: lat}}]
          }
          B {
            users: [{user: b, password: p}]
            imports: [
              {service: {account: A, subject: "svc.x"}, to: "mine"}, {service: {account: A, subject: several}, share: true}
              {service: {account: A, subject: measured}}, {service: {account: A, subject: asked}}
            ]
          }
        }

        """;

    private const string Parent = "Traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    // What is asked for, with which header, and whether somebody answers.
    public static TheoryData<string, string, bool> Requests => new()
    {
        { "mine", "", false },
        { "mine", "", true },
        { "several", "", false },
        { "several", "", true },
        { "measured", "", false },
        { "asked", "", false },
        { "asked", Parent, false },
    };

    [Theory]
    [MemberData(nameof(Requests))]
    public async Task Account_shows_who_waits_for_its_answers(string subject, string header, bool isAnswered)
    {
        var shown = new List<string>();

        foreach (var kind in Enum.GetValues<ServerKind>())
        {
            await using var server = await ServerProcess.StartAsync(kind, "-c", ServerProcess.WriteConfiguration(Accounts));
            await using var service = await SystemClient.ConnectAsync(server.Port, "a", "service");
            await using var asker = await SystemClient.ConnectAsync(server.Port, "b");
            await using var system = await SystemClient.ConnectAsync(server.Port, "sys");
            await service.SubscribeAsync("svc.x", "several", "measured", "asked");
            await asker.SubscribeAsync("answers");

            var block = header.Length == 0 ? "" : $"NATS/1.0\r\n{header}\r\n\r\n";
            await asker.SendAsync(FormattableString.Invariant($"{(block.Length == 0 ? "PUB" : "HPUB")} {subject} answers {(block.Length == 0 ? "" : $"{block.Length} ")}{block.Length + 2}\r\n{block}hi\r\n"));
            var (_, replyTo, _, _) = await service.NextAsync(static message => message.ReplyTo.Length > 0);
            if (isAnswered)
            {
                await service.PublishAsync(replyTo, "answer");
                await asker.NextAsync(static message => message.Subject == "answers");
            }
            var info = JsonDocument.Parse(await system.AskAsync("$SYS.REQ.ACCOUNT.A.INFO")).RootElement.GetProperty("data");
            shown.Add(info.TryGetProperty("responses", out var responses) ? Own().Replace(responses.GetRawText(), "_R_") : "none");
        }

        Assert.Equal(shown[0], shown[1]);
        Assert.Equal(!isAnswered || subject == "several", shown[1] != "none");
    }

    [GeneratedRegex("_R_\\.[A-Za-z0-9.]+")]
    private static partial Regex Own();
}
