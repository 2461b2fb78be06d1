using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CodeActions;
using Microsoft.CodeAnalysis.CodeFixes;
using Microsoft.CodeAnalysis.CSharp;
using Postrider.Generator.CodeFixes;

namespace Postrider.GeneratorTests;

public sealed class CodeFixTests
{
    private const string Main = "public static class Program { public static void Main() { } }\n";

    [Theory]
    [InlineData("public sealed partial record Lonely(int N) : IQuery<int>;", "IRequestHandler<Lonely, int>")]
    [InlineData("public sealed partial record Lonely(int N) : ICommand;", "ICommandHandler<Lonely>")]
    [InlineData("public sealed partial record Lonely(int N) : IStreamRequest<int>;", "IStreamRequestHandler<Lonely, int>")]
    public async Task Missing_handler_is_written(string source, string contract)
    {
        var (text, left) = await Fix(Main + source, "PR0001", new WriteHandlerFix());

        Assert.Contains(contract, text, StringComparison.Ordinal);
        Assert.DoesNotContain(left, d => d.Id == "PR0001");
    }

    [Fact]
    public async Task Message_is_made_partial()
    {
        var (text, left) = await Fix(Main + "public sealed record Whole : INotification;", "PR0009", new MakePartialFix());

        Assert.Contains("public sealed partial record Whole", text, StringComparison.Ordinal);
        Assert.DoesNotContain(left, d => d.Id == "PR0009");
    }

    [Fact]
    public async Task Captive_handler_is_made_scoped()
    {
        var source = Main + """
            public sealed class Db;
            public static class Setup { public static void Add(IServiceCollection s) => s.AddScoped<Db>(); }
            public sealed partial record Save : ICommand;
            [Handler(Lifetime = HandlerLifetime.Singleton)]
            internal sealed class SaveHandler(Db db) : ICommandHandler<Save> { public Db Kept => db; public ValueTask Handle(Save c, CancellationToken ct) => default; }
            """;

        var (text, left) = await Fix(source, "PR0006", new ScopedLifetimeFix());

        Assert.Contains("HandlerLifetime.Scoped", text, StringComparison.Ordinal);
        Assert.DoesNotContain(left, d => d.Id == "PR0006");
    }

    [Fact]
    public async Task Namespace_of_MediatR_is_replaced()
    {
        var (text, left) = await Fix("using MediatR;\n" + Main, "PRM001", new ChangeUsingFix(), withCompat: true);

        Assert.StartsWith("using Postrider.Compat.MediatR;", text, StringComparison.Ordinal);
        Assert.DoesNotContain(left, d => d.Id == "PRM001");
    }

    [Theory]
    [InlineData("using MediatR.Pipeline;\nusing System.IO;\nusing MediatR;\n", 0, "using Postrider.Compat.MediatR;\nusing System.IO;\nusing MediatR;\n")]
    [InlineData("using MediatR.Pipeline;\nusing System.IO;\nusing MediatR;\n", 1, "using MediatR.Pipeline;\nusing System.IO;\n")]
    [InlineData("using Postrider.Compat.MediatR;\nusing MediatR.Pipeline;\n", 0, "using Postrider.Compat.MediatR;\n")]
    [InlineData("using Ask = MediatR.IRequest<int>;\n", 0, "using Ask = Postrider.Compat.MediatR.IRequest<int>;\n")]
    [InlineData("public class Ask : global::MediatR.Pipeline.IRequestPreProcessor<int>;\n", 0, "public class Ask : Postrider.Compat.MediatR.IRequestPreProcessor<int>;\n")]
    [InlineData("public static class Use { public static object Value => MediatR.Unit.Value; }\n", 0, "public static class Use { public static object Value => Postrider.Compat.MediatR.Unit.Value; }\n")]
    public async Task Namespace_of_MediatR_is_replaced_where_it_is_named(string source, int which, string expected)
    {
        var (text, _) = await Fix(source + Main, "PRM001", new ChangeUsingFix(), withCompat: true, which);

        Assert.Equal(expected + Main, text);
    }

    private static async Task<(string Text, ImmutableArray<Diagnostic> Left)> Fix(
        string source, string id, CodeFixProvider fix, bool withCompat = false, int which = 0)
    {
        using var workspace = new AdhocWorkspace();
        var compilation = UserProject.Source(source, withCompat: withCompat);
        var project = workspace.AddProject(ProjectInfo.Create(
            ProjectId.CreateNewId(), VersionStamp.Default, "User", "User", LanguageNames.CSharp,
            compilationOptions: compilation.Options, parseOptions: UserProject.Options, metadataReferences: compilation.References));
        foreach (var tree in compilation.SyntaxTrees)
        {
            var text = await tree.GetTextAsync(TestContext.Current.CancellationToken);
            project = project.AddDocument(tree.FilePath, text).Project;
        }

        var document = project.Documents.Single(d => d.Name == "User.cs");
        var before = await UserProject.Diagnose((CSharpCompilation)(await document.Project.GetCompilationAsync(TestContext.Current.CancellationToken))!);
        var actions = new List<CodeAction>();
        await fix.RegisterCodeFixesAsync(new CodeFixContext(
            document, before.Where(d => d.Id == id).OrderBy(d => d.Location.SourceSpan.Start).ElementAt(which), (action, _) => actions.Add(action), TestContext.Current.CancellationToken));
        var operations = await Assert.Single(actions).GetOperationsAsync(TestContext.Current.CancellationToken);
        var changed = operations.OfType<ApplyChangesOperation>().Single().ChangedSolution.GetDocument(document.Id)!;
        var fixedText = (await changed.GetTextAsync(TestContext.Current.CancellationToken)).ToString();
        return (fixedText, await UserProject.Diagnose(UserProject.Source(fixedText, withCompat: withCompat)));
    }
}
