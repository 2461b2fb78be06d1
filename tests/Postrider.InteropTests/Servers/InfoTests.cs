using System.Text.Json;
using Postrider.InteropTests.Harness;

namespace Postrider.InteropTests.Servers;

/// <summary>What a server says of itself: the fields of what it serves, of the same kinds, in the same order as Go's.</summary>
public sealed class InfoTests(DefaultServers servers) : IClassFixture<DefaultServers>
{
    // What clients decide by; the rest is each server's own.
    private static readonly string[] SameValue = ["version", "proto", "host", "headers", "max_payload", "client_ip", "api_lvl"];

    // The commit that Go's was built from, and its key for authentication callouts, which ours does not make.
    private static readonly string[] OnlyGo = ["git_commit", "xkey"];

    [Fact]
    public async Task Info_has_the_fields_of_Go_in_their_order()
    {
        var go = await InfoAsync(ServerKind.Go);
        var ours = await InfoAsync(ServerKind.Postrider);

        Assert.Equal(Fields(go), Fields(ours));
    }

    [Fact]
    public async Task Info_says_what_clients_decide_by_as_Go_does()
    {
        var go = await InfoAsync(ServerKind.Go);
        var ours = await InfoAsync(ServerKind.Postrider);

        Assert.Equal(
            SameValue.Select(name => $"{name} {go.GetProperty(name)}"),
            SameValue.Select(name => $"{name} {ours.GetProperty(name)}"));
    }

    [Fact]
    public async Task Ports_file_has_the_addresses_of_Go()
    {
        var go = await servers.GetAsync(ServerKind.Go);
        var ours = await servers.GetAsync(ServerKind.Postrider);

        Assert.Equal(WithoutPorts(go.Ports), WithoutPorts(ours.Ports));
    }

    private static IEnumerable<string> Fields(JsonElement info)
        => info.EnumerateObject().Where(field => !OnlyGo.Contains(field.Name)).Select(field => $"{field.Name} {field.Value.ValueKind}");

    private static IEnumerable<string> WithoutPorts(JsonElement ports)
        => ports.EnumerateObject().SelectMany(kind => kind.Value.EnumerateArray().Select(url => $"{kind.Name} {url.GetString()![..url.GetString()!.LastIndexOf(':')]}"));

    private async Task<JsonElement> InfoAsync(ServerKind kind)
    {
        await using var connection = await RawConnection.OpenAsync((await servers.GetAsync(kind)).Port);
        return JsonDocument.Parse(connection.Info).RootElement;
    }
}
