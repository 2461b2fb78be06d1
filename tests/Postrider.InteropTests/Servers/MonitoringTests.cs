using System.Text.Json;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Servers;

/// <summary>The monitoring pages: every field that Go's page has at its top is on ours, of the same kind.</summary>
public sealed class MonitoringTests(DefaultServers servers) : IClassFixture<DefaultServers>
{
    // Of the system account, which there is none of.
    private static readonly string[] OfAbsentFeatures = ["/system_account "];

    [Theory]
    [InlineData("varz")]
    [InlineData("connz")]
    [InlineData("connz?subs=1")]
    [InlineData("subsz")]
    [InlineData("subsz?subs=1")]
    [InlineData("healthz")]
    public async Task Page_has_the_fields_of_Go(string page)
    {
        await using var onGo = await SubscribedAsync(ServerKind.Go);
        await using var onOurs = await SubscribedAsync(ServerKind.Postrider);

        var go = Fields("", await PageAsync(ServerKind.Go, page)).ToHashSet();
        var ours = Fields("", await PageAsync(ServerKind.Postrider, page)).ToHashSet();

        var absent = go.Except(ours).Where(field => !OfAbsentFeatures.Any(feature => field.StartsWith(feature, StringComparison.Ordinal)));
        Assert.Equal("", string.Join('\n', absent.Order(StringComparer.Ordinal)));
    }

    private async Task<JsonElement> PageAsync(ServerKind kind, string page)
        => await (await servers.GetAsync(kind)).MonitorAsync(page);

    private async Task<RawConnection> SubscribedAsync(ServerKind kind)
    {
        var connection = await RawConnection.OpenAsync((await servers.GetAsync(kind)).Port);
        await connection.SendAsync("CONNECT {\"verbose\":false,\"name\":\"watched\",\"lang\":\"raw\",\"version\":\"1\"}\r\nSUB watched.a 1\r\nPUB watched.a 1\r\nx\r\n");
        await connection.FenceAsync();
        return connection;
    }

    // An array's elements are alike: its first one stands for them.
    private static IEnumerable<string> Fields(string path, JsonElement element) => element.ValueKind switch
    {
        JsonValueKind.Object => element.EnumerateObject().SelectMany(field => Fields($"{path}/{field.Name}", field.Value)),
        JsonValueKind.Array when element.GetArrayLength() > 0 => Fields(path + "[]", element[0]),
        JsonValueKind.True or JsonValueKind.False => [$"{path} boolean"],
        _ => [$"{path} {element.ValueKind}"],
    };
}
