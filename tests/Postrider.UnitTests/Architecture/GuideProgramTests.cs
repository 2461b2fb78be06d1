namespace Postrider.UnitTests.Architecture;

public sealed class GuideProgramTests
{
    [Fact]
    public async Task Pieces_of_a_page_are_one_program()
    {
        var program = GuideProgram.FromPage("""
            # A page

            ```csharp
            using System.Globalization;

            var price = new Price(3);
            ```

            Prices are records:

            ```csharp
            Console.WriteLine(price.ToString()); // 3
            public sealed record Price(int Euros)
            {
                public override string ToString() => Euros.ToString(CultureInfo.InvariantCulture);
            }
            ```
            """)!;

        var (problems, image) = program.Compile();

        Assert.Empty(problems);
        Assert.Equal(["3"], program.ExpectedLines);
        Assert.Equal(["3"], await GuideProgram.RunAsync(image));
    }

    [Fact]
    public async Task Piece_to_compile_does_not_run()
    {
        var program = GuideProgram.FromPage("""
            ```csharp
            var name = "tea";
            ```
            ```csharp compile
            await Task.Delay(Timeout.Infinite);
            throw new InvalidOperationException(name);
            ```
            """)!;

        var (problems, image) = program.Compile();

        Assert.Empty(problems);
        Assert.Empty(await GuideProgram.RunAsync(image));
    }

    [Fact]
    public void Piece_to_compile_that_does_not_compile_is_found()
    {
        var program = GuideProgram.FromPage("""
            ```csharp compile
            int number = "tea";
            ```
            """)!;

        Assert.Equal("CS0029", Assert.Single(program.Compile().Problems, static problem => problem.Id == "CS0029").Id);
    }

    [Fact]
    public async Task Serializer_context_is_generated()
    {
        var program = GuideProgram.FromPage("""
            ```csharp
            using System.Text.Json;
            using System.Text.Json.Serialization;

            Console.WriteLine(JsonSerializer.Serialize(new Order("tea"), ShopJson.Default.Order)); // {"Item":"tea"}

            public sealed record Order(string Item);

            [JsonSerializable(typeof(Order))]
            public partial class ShopJson : JsonSerializerContext;
            ```
            """)!;

        var (problems, image) = program.Compile();

        Findings.None(problems);
        Assert.Equal(program.ExpectedLines, await GuideProgram.RunAsync(image));
    }

    [Fact]
    public void Page_without_a_piece_is_no_program()
        => Assert.Null(GuideProgram.FromPage("```\ndotnet run\n```\n"));
}
