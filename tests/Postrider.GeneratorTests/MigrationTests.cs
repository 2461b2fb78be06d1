using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Postrider.Generator;

namespace Postrider.GeneratorTests;

/// <summary>What a project is told while it moves from MediatR.</summary>
public sealed class MigrationTests
{
    private const string Main = "public static class Program { public static void Main() { } }";

    [Fact]
    public async Task Lifetime_that_is_set_for_MediatRs_handlers_is_reported()
    {
        var found = await UserProject.Diagnose(UserProject.Source("""
            using Postrider.Compat.MediatR;
            public sealed class Own { public ServiceLifetime Lifetime { get; set; } }
            public static class Use
            {
                public static void Configure(MediatRServiceConfiguration c, Own own)
                {
                    own.Lifetime = ServiceLifetime.Scoped;
                    c.LicenseKey = "none";
                    c.Lifetime = ServiceLifetime.Scoped;
                }
            }

            """ + Main, withCompat: true));

        var hint = Assert.Single(found, d => d.Id == "PRM002");
        Assert.Equal("c.Lifetime = ServiceLifetime.Scoped", hint.Location.SourceTree!.ToString().Substring(hint.Location.SourceSpan.Start, hint.Location.SourceSpan.Length));
    }

    [Theory]
    [InlineData("using MediatR;", true, 1)]
    [InlineData("using MediatR; using MediatR.Pipeline;", true, 2)]
    [InlineData("using static MediatR.Unit;", true, 1)]
    [InlineData("using global::MediatR;", true, 1)]
    [InlineData("using MediatR;", false, 0)]
    [InlineData("using Postrider.Compat.MediatR;", true, 0)]
    [InlineData("using MediatR; namespace MediatR { public interface IRequest; }", true, 0)]
    public void Build_that_fails_for_MediatRs_namespace_says_what_to_run(string source, bool withCompat, int count)
    {
        CSharpGeneratorDriver.Create([new PostriderGenerator().AsSourceGenerator()], parseOptions: UserProject.Options)
            .RunGeneratorsAndUpdateCompilation(
                UserProject.Source(source + "\n" + Main, withCompat: withCompat), out _, out var found, TestContext.Current.CancellationToken);

        var text = Assert.Single(found.Select(d => d.GetMessage(System.Globalization.CultureInfo.InvariantCulture)).DefaultIfEmpty(""));
        Assert.Equal(count > 0 ? $"{count} using directives of this project name MediatR" : "", text.Split(", which")[0]);
        Assert.Equal(count > 0, text.Contains("dotnet format analyzers", StringComparison.Ordinal));
    }
}
