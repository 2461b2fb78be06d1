using System.Text.RegularExpressions;
using Postrider.Broker.Configuration;
using Postrider.CommandLine.Serving;

namespace Postrider.SystemTests.CommandLine;

public sealed partial class ServerUsageTests
{
    [Fact]
    public void Help_lists_every_flag_and_no_other()
    {
        var text = ServerUsage.Text("nats-server").Split("Examples:")[0];

        var listed = FlagName().Matches(text).Select(match => match.Groups[1].Value).Distinct().Order(StringComparer.Ordinal);

        Assert.Equal(ServerFlags.ByName.Keys.Order(StringComparer.Ordinal), listed);
    }

    [GeneratedRegex(@"(?<=[\s,])--?([A-Za-z_]+)")]
    private static partial Regex FlagName();
}
