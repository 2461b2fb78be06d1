using System.CommandLine;
using Postrider.CommandLine.Terminal;
using Postrider.CommandLine.Verbs;

namespace Postrider.SystemTests.CommandLine;

/// <summary>The help of every verb.</summary>
public sealed class HelpTests
{
    public static TheoryData<string> Verbs => [.. CommandTree.Walk(PostriderCommand.Create()).Select(static verb => verb.Path)];

    [Theory]
    [MemberData(nameof(Verbs))]
    public async Task Help_lists_every_flag_argument_and_command_with_a_description(string path)
    {
        var root = PostriderCommand.Create();
        var verb = CommandTree.Walk(root).Single(one => one.Path == path).Command;
        using var output = new StringWriter();

        await root.Parse([.. path.Split(' ', StringSplitOptions.RemoveEmptyEntries), "--help"]).InvokeAsync(new InvocationConfiguration { Output = output }, TestContext.Current.CancellationToken);

        var help = output.ToString();
        var symbols = verb.Options.Cast<Symbol>().Concat(verb.Arguments).Concat(verb.Subcommands);
        foreach (var symbol in symbols.Where(static symbol => !symbol.Hidden))
        {
            Assert.False(string.IsNullOrWhiteSpace(symbol.Description), $"'{path}': {symbol.Name} has no description.");
            var name = symbol is Argument argument ? argument.HelpName ?? argument.Name : symbol.Name;
            Assert.Contains(name, help, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("pub")]
    [InlineData("sub")]
    [InlineData("request")]
    [InlineData("reply")]
    [InlineData("rtt")]
    [InlineData("kv put")]
    [InlineData("object put")]
    [InlineData("stream ls")]
    [InlineData("consumer ls")]
    [InlineData("server info")]
    [InlineData("server check")]
    [InlineData("bench pub")]
    public void Client_verb_takes_every_kind_of_credentials(string path)
    {
        var verb = CommandTree.Walk(PostriderCommand.Create()).Single(one => one.Path == path).Command;

        var names = verb.Options.Select(static option => option.Name).ToList();

        Assert.Superset(new HashSet<string>(["--creds", "--nkey", "--user", "--password", "--token"]), names.ToHashSet());
    }

    [Fact]
    public void Two_kinds_of_credentials_at_once_are_refused()
    {
        var parsed = PostriderCommand.Create().Parse(["rtt", "--creds", "a.creds", "--user", "ann"]);

        Assert.Equal("Use one of --creds and --user.", Assert.Single(parsed.Errors).Message);
    }
}
