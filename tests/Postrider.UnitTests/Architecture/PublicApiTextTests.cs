using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Postrider.UnitTests.Architecture;

public sealed class PublicApiTextTests
{
    [Theory]
    [InlineData("public sealed class C;", "public sealed class C\n    public C()\n")]
    [InlineData("class Hidden; public static class S { internal static int No; }", "public static class S\n")]
    [InlineData("public enum E : byte { One = 1, Two }", "public enum E : byte\n    One = 1\n    Two = 2\n")]
    [InlineData("public delegate int D(string? text, int count = 3);", "public delegate int D(string? text, int count = 3)\n")]
    [InlineData("public interface I<in T> where T : class { int P { get; } }", "public interface I<in T> where T : class\n    public int P { get; }\n")]
    public void Type_is_a_line_and_its_members_follow(string source, string expected)
        => Assert.Equal(expected, Describe(source));

    [Fact]
    public void Record_shows_its_own_members_only()
        => Assert.Equal(
            "public sealed record R : System.IEquatable<R>\n    public R(int Number)\n    public void Deconstruct(out int Number)\n    public int Number { get; init; }\n",
            Describe("public sealed record R(int Number);"));

    [Fact]
    public void Kind_of_struct_is_told_once()
        => Assert.Equal("public readonly ref struct S\n", Describe("public readonly ref struct S;"));

    [Fact]
    public void Change_of_a_default_value_or_of_nullability_shows()
    {
        var before = Describe("public static class S { public static void M(string a, int b = 1) { } }");
        var after = Describe("public static class S { public static void M(string? a, int b = 2) { } }");

        Assert.Contains("public static void M(string a, int b = 1)", before, StringComparison.Ordinal);
        Assert.Contains("public static void M(string? a, int b = 2)", after, StringComparison.Ordinal);
    }

    [Fact]
    public void Protected_member_counts_only_where_one_can_derive()
    {
        Assert.Contains("protected int F", Describe("public class Open { protected int F; }"), StringComparison.Ordinal);
        Assert.DoesNotContain("F", Describe("public sealed class Shut { int F; }"), StringComparison.Ordinal);
    }

    private static string Describe(string source)
        => PublicApi.Describe(CSharpCompilation.Create(
            "Sample",
            [CSharpSyntaxTree.ParseText(source)],
            [MetadataReference.CreateFromFile(typeof(object).Assembly.Location)],
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable)).Assembly);
}
