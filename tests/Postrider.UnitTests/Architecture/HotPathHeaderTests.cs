using Microsoft.CodeAnalysis.CSharp;

namespace Postrider.UnitTests.Architecture;

/// <summary>The first lines of hot paths name callers and callees that exist.</summary>
public sealed class HotPathHeaderTests
{
    private static readonly DeclaredNames Small = new(
        [CSharpSyntaxTree.ParseText("class Loop { void Run() { } } abstract class Sender { void Send() { } } class Lane<T> : Sender { int Length; enum Kind { Full } } interface IReceiver { }")]);

    [Fact]
    public void Callers_and_callees_exist()
    {
        var projects = SourceProject.All.Where(static project => project.IsLibrary || project.IsApplication).ToList();
        var names = new DeclaredNames(projects.SelectMany(static project => project.Compilation.SyntaxTrees));
        var folders = projects.SelectMany(static project => project.Sources).SelectMany(static source => source.Split('/')[..^1]).ToHashSet(StringComparer.Ordinal);
        var headers = projects.SelectMany(static project => project.Sources).Select(static source => (Source: source, Line: Repository.Read(source).Split('\n')[0]))
            .Where(static header => header.Line.StartsWith(HotPathHeader.Start, StringComparison.Ordinal)).ToList();

        Assert.NotEmpty(headers);
        Findings.None(headers.SelectMany(header => HotPathHeader.Unknown(header.Line, names, folders).Select(name => $"{header.Source} names {name}")));
    }

    [Theory]
    [InlineData("// Hot path: epoll_wait -> this -> IReceiver. Allocations: none.")]
    [InlineData("// Hot path: Loop.Run, generated code -> this -> Lane, Lane.Length. Allocations: none.")]
    [InlineData("// Hot path: Lane.Send -> this -> Kestrel, Frames. Allocations: The first.")]
    public void Names_that_exist_are_fine(string line)
        => Assert.Empty(Unknown(line));

    [Theory]
    [InlineData("// Hot path: RecordCodec.Write -> this. Allocations: none.", "RecordCodec.Write")]
    [InlineData("// Hot path: Loop.ReceiveLoop -> this. Allocations: none.", "Loop.ReceiveLoop")]
    [InlineData("// Hot path: client Session -> this -> Lane. Allocations: none.", "Session")]
    public void Name_that_does_not_exist_is_found(string line, string name)
        => Assert.Equal([name], Unknown(line));

    private static IEnumerable<string> Unknown(string line) => HotPathHeader.Unknown(line, Small, new HashSet<string> { "Frames" });
}
