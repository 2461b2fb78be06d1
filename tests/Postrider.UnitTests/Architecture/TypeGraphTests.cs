using Microsoft.CodeAnalysis.CSharp;

namespace Postrider.UnitTests.Architecture;

public sealed class TypeGraphTests
{
    private const string Source = """
        namespace One;
        class A { B b; }
        class B { C c; }
        class C { object Make() => new A.Inner(); }
        class D { A a; }
        """;

    [Fact]
    public void Cycle_holds_the_types_that_lead_to_one_another()
        => Assert.Equal(["A", "B", "C"], Read(Source.Replace("{ B b; }", "{ B b; internal class Inner; }")).LargestCycle("One"));

    [Fact]
    public void Types_in_a_row_are_no_cycle()
        => Assert.Empty(Read(Source.Replace("new A.Inner()", "this")).LargestCycle("One"));

    [Fact]
    public void Member_that_is_reached_through_another_counts()
        => Assert.Equal(["A", "B", "C"], Read("namespace One; class A { internal B Next; } class B { internal C Next; } class C { int Of(A a) => a.Next.Next.GetHashCode(); }").LargestCycle("One"));

    [Fact]
    public void Types_of_other_folders_are_not_counted()
    {
        var graph = Read(Source, "namespace Two; class E { One.A a; }");

        Assert.Equal(4, graph.Count("One"));
        Assert.Equal(1, graph.Count("Two"));
    }

    private static TypeGraph Read(params string[] sources)
        => TypeGraph.Of(CSharpCompilation.Create("Read", sources.Select(source => CSharpSyntaxTree.ParseText(source, path: source.Split(' ', ';')[1] + "/Types.cs"))));
}
