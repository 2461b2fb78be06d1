using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Postrider.UnitTests.Architecture;

public sealed class FolderGraphTests
{
    [Fact]
    public void Type_named_in_another_folder_is_an_edge_with_its_place()
    {
        var graph = Graph("namespace A; public class Low;", "namespace B;\npublic class High { A.Low? low; }");

        var edge = Assert.Single(graph.Edges);

        Assert.Equal(("B", "A", "B/1.cs(2): Low"), (edge.From, edge.To, edge.Example));
        Assert.Empty(graph.BackReferences());
    }

    [Fact]
    public void Two_folders_that_name_each_other_are_a_cycle()
    {
        var graph = Graph("namespace A; public class Low { B.High? high; }", "namespace B; public class High { A.Low? low; }");

        Assert.Equal(["A -> B", "B -> A"], graph.BackReferences().Select(edge => $"{edge.From} -> {edge.To}"));
    }

    [Fact]
    public void Cycle_over_three_folders_is_found_and_the_way_into_it_is_not_blamed()
    {
        var graph = Graph(
            "namespace A; public class One { B.Two? two; }", "namespace B; public class Two { C.Three? three; }",
            "namespace C; public class Three { A.One? one; }", "namespace D; public class Outside { A.One? one; }");

        Assert.Equal(["A -> B", "B -> C", "C -> A"], graph.BackReferences().Select(edge => $"{edge.From} -> {edge.To}"));
    }

    [Theory]
    [InlineData("var x = A.Make.One();")]
    [InlineData("var y = 1.Doubled();")]
    [InlineData("Take(new());")]
    [InlineData("object o = nameof(A.Make);")]
    [InlineData("if (Box() is { Number: > 1 }) { }")]
    public void Names_are_resolved_however_they_are_written(string statement)
    {
        const string Low = """
            namespace A;
            public class Thing { public int Number; }
            public static class Make { public static Thing One() => new(); public static int Doubled(this int i) => 2 * i; }
            """;
        var high = $$"""
            namespace B;
            using A;
            public class High { void Run() { {{statement}} } static void Take(global::A.Thing thing) { } static global::A.Thing Box() => null!; }
            """;

        Assert.Contains(Graph(Low, high).Edges, edge => edge is { From: "B", To: "A" });
    }

    [Theory]
    [InlineData("class High { Lower? low; }", "Lower")]
    [InlineData("class High { void Run() { var low = new Lower(); } }", "Lower")]
    [InlineData("class High { A.Lower? low; }", "Lower")]
    [InlineData("class High : System.Collections.Generic.List<Lower>;", "Lower")]
    public void Name_of_a_type_that_is_nowhere_is_told(string high, string name)
        => Assert.Contains($"B/1.cs(2): {name}", NamedTypes.Of(Compile(("namespace A; public class Low;", "A/0.cs"), ($"namespace B;\n{high}", "B/1.cs"))).Unresolved);

    [Fact]
    public void Using_directive_alone_is_no_edge()
        => Assert.Empty(Graph("namespace A; public class Low;", "using A;\nnamespace B; public class High;").Edges);

    [Fact]
    public void Folder_counts_and_not_the_namespace()
        => Assert.Equal(
            ["High -> Low"],
            FolderGraph.Of(Compile(("namespace A; public class One;", "Low/0.cs"), ("namespace A; public class Two { One? one; }", "High/1.cs")))
                .Edges.Select(edge => $"{edge.From} -> {edge.To}"));

    // Each source in the folder that its namespace, a single letter, names.
    private static FolderGraph Graph(params string[] sources)
        => FolderGraph.Of(Compile([.. sources.Select((source, i) => (source, $"{source.Split("namespace ")[1][0]}/{i}.cs"))]));

    private static CSharpCompilation Compile(params (string Source, string Path)[] files)
        => CSharpCompilation.Create(
            "Sample",
            files.Select(file => CSharpSyntaxTree.ParseText(file.Source, path: file.Path)),
            [MetadataReference.CreateFromFile(typeof(object).Assembly.Location)],
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable));
}
