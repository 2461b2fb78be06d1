using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace Postrider.GeneratorTests;

/// <summary>The guide's pieces of C#, typed in as they stand.</summary>
public sealed partial class GuideTests
{
    [Fact]
    public async Task Pieces_of_the_guide_are_one_program_that_compiles_without_a_diagnostic_and_runs()
    {
        var program = Program(await File.ReadAllTextAsync(Checkout.PathOf("docs/guide/dispatch.md"), TestContext.Current.CancellationToken));

        Assert.DoesNotContain(await UserProject.Diagnose(UserProject.Source(program)), d => d.Severity >= DiagnosticSeverity.Warning);
        Assert.Equal("2, 2, Customer 3, InvalidMessageException", await UserProject.Compile(program).Run());
    }

    // Statements become one method, that goes on with what the guide does not show.
    private static string Program(string guide)
    {
        var pieces = Piece().Matches(guide)
            .Select(m => CSharpSyntaxTree.ParseText(m.Groups[1].Value, UserProject.Options).GetCompilationUnitRoot()).ToList();
        return $$"""
            {{All(pieces, p => p.Usings)}}
            {{All(pieces, p => p.AttributeLists)}}
            public static class App
            {
                public static async Task<string> Run()
                {
                    {{All(pieces, p => p.Members.Where(IsRegistration))}}
                    {{All(pieces, p => p.Members.OfType<GlobalStatementSyntax>().Where(s => !IsRegistration(s)))}}
                    var refused = await ErrorOf(() => dispatcher.SendAsync(new PlaceOrder("tea", 0)));
                    await using var scope = provider.CreateAsyncScope();
                    var count = await For(scope.ServiceProvider, new ClaimsPrincipal()).SendAsync(new CountOrders());
                    return $"{receipt.Number}, {count}, {await dispatcher.SendAsync(new ById<Customer>(3))}, {refused}";
                }

                private static async Task<string> ErrorOf<T>(Func<ValueTask<T>> call)
                {
                    try { return $"{await call()}"; }
                    catch (Exception e) { return e.GetType().Name; }
                }

                public static void Main() { }
            }
            {{All(pieces, p => p.Members.Where(m => m is not GlobalStatementSyntax))}}
            """;
    }

    // What the page says of the container stands in several places, and comes before the container is built.
    private static bool IsRegistration(SyntaxNode member)
        => member is GlobalStatementSyntax && member.ToString() is var text && (text.StartsWith("services.", StringComparison.Ordinal) || text.StartsWith("var services", StringComparison.Ordinal));

    private static string All(IEnumerable<CompilationUnitSyntax> pieces, Func<CompilationUnitSyntax, IEnumerable<SyntaxNode>> some)
        => string.Concat(pieces.SelectMany(some).Select(node => node.ToFullString()));

    [GeneratedRegex("```csharp\n(.*?)```", RegexOptions.Singleline)]
    private static partial Regex Piece();
}
