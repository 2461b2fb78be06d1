using System.Text.Json;
using Postrider.InteropTests.Harness;
using Postrider.InteropTests.SystemAccount;

namespace Postrider.InteropTests.Monitoring;

/// <summary>The traffic of account <c>A</c> as servers show it: connections, and messages and bytes with those of leaf nodes and routes.</summary>
internal static class AccountTraffic
{
    /// <summary>Waits until a server shows this on its page, and compares the system account's answers with it.</summary>
    /// <param name="server">A server whose system account has the user <c>sys</c>.</param>
    /// <param name="expected">See <see cref="Describe"/>.</param>
    public static async Task AwaitAsync(ServerProcess server, string expected)
    {
        var last = "";
        try
        {
            await Eventually.HoldsAsync(async () =>
            {
                var accounts = (await server.MonitorAsync("accstatz?unused=1")).GetProperty("account_statz").EnumerateArray();
                return (last = Describe(accounts.Single(static one => one.GetProperty("acc").GetString() == "A"))) == expected;
            });
        }
        catch (TimeoutException late)
        {
            throw new TimeoutException($"{server.Kind} shows {last} instead of {expected}", late);
        }
        await using var asker = await SystemClient.ConnectAsync(server.Port, "sys");
        var answer = JsonDocument.Parse(await asker.AskAsync("$SYS.REQ.SERVER." + asker.ServerId + ".ACCOUNTZ", "{\"account\":\"A\"}")).RootElement.GetProperty("data").GetProperty("account_detail");
        Assert.Contains(
            $" conns {answer.GetProperty("client_connections")} leafs {answer.GetProperty("leafnode_connections")} ", expected, StringComparison.Ordinal);
    }

    /// <summary>The statistics of an account in one line; sums of leaf nodes and routes only where there are any.</summary>
    public static string Describe(JsonElement statistics)
        => $"{statistics.GetProperty("acc")} conns {statistics.GetProperty("conns")} leafs {statistics.GetProperty("leafnodes")} total {statistics.GetProperty("total_conns")}"
            + $" slow {statistics.GetProperty("slow_consumers")} sent {DescribeSums(statistics.GetProperty("sent"))} received {DescribeSums(statistics.GetProperty("received"))}";

    private static string DescribeSums(JsonElement sums)
        => Text(sums) + string.Concat(((string[])["gateways", "routes", "leafs"]).Select(name => (Name: name, Text: Text(sums.GetProperty(name)))).Where(static one => one.Text != "0/0").Select(static one => $" {one.Name} {one.Text}"));

    private static string Text(JsonElement sum) => $"{sum.GetProperty("msgs")}/{sum.GetProperty("bytes")}";
}
