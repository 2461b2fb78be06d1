using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace Postrider.TransportTests;

/// <summary>A mistake of configuration or registration, and the lines of the message that the start of the host ends with.</summary>
internal sealed record StartMistake(string Name, Action<HostApplicationBuilder> Add, Dictionary<string, string?> Keys, params string[] Lines)
{
    /// <summary>Keys of a section as text: <c>A=1;B:C=2</c>.</summary>
    internal static Dictionary<string, string?> KeysOf(string path, string keys)
        => keys.Split(';', StringSplitOptions.RemoveEmptyEntries).Select(static pair => pair.Split('=', 2)).ToDictionary(pair => $"{path}:{pair[0]}", pair => (string?)pair[1], StringComparer.Ordinal);

    /// <summary>Starts a host that has the mistake.</summary>
    /// <returns>The lines of the failure's message.</returns>
    internal async Task<string[]> StartAsync(CancellationToken ct)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        builder.Configuration.AddInMemoryCollection(Keys);
        var failure = await Record.ExceptionAsync(async () =>
        {
            Add(builder);
            using var host = builder.Build();
            await host.StartAsync(ct);
            await host.StopAsync(ct);
        });
        return failure?.Message.ReplaceLineEndings("\n").Split('\n') ?? [];
    }
}
