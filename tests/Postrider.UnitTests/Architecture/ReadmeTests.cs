namespace Postrider.UnitTests.Architecture;

/// <summary>The C# of the README and of the guides that are programs: compiled as a reader would compile it, and run.</summary>
public sealed class ReadmeTests
{
    public static TheoryData<string> Programs => ["README.md", "docs/guide/broker.md", "docs/guide/client.md", "docs/guide/dashboard.md", "docs/guide/quick-start.md", "docs/guide/from-nats-net.md", "docs/guide/from-grpc.md"];

    [Theory]
    [MemberData(nameof(Programs))]
    public async Task Program_compiles_without_a_warning_and_prints_what_the_page_says(string page)
    {
        var program = GuideProgram.FromPage(Repository.Read(page));
        Assert.NotNull(program);

        var (problems, image) = program.Compile();

        Findings.None(problems);
        Assert.Equal(program.ExpectedLines, await GuideProgram.RunAsync(image));
    }
}
