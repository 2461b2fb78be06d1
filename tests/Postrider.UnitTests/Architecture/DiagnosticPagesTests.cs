using System.Reflection;
using Microsoft.CodeAnalysis;

namespace Postrider.UnitTests.Architecture;

/// <summary>The pages that a compiler's message links.</summary>
public sealed class DiagnosticPagesTests
{
    private const string Folder = "docs/diagnostics";
    private const string Site = "https://github.com/postrider/postrider/blob/main/";

    private static readonly DiagnosticDescriptor[] Descriptors =
    [
        .. Directory.EnumerateFiles(Path.Join(AppContext.BaseDirectory, "generators"), "Postrider.*.dll")
            .SelectMany(static file => Assembly.LoadFrom(file).GetTypes())
            .Where(static type => !type.ContainsGenericParameters)
            .SelectMany(static type => type.GetFields(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic))
            .Where(static field => field.FieldType == typeof(DiagnosticDescriptor))
            .Select(static field => (DiagnosticDescriptor)field.GetValue(null)!),
    ];

    [Fact]
    public void Every_diagnostic_links_a_page_about_itself()
    {
        Assert.NotEmpty(Descriptors);

        Findings.None(Descriptors.Where(static one => one.HelpLinkUri != $"{Site}{Folder}/{one.Id}.md" || !File.Exists(Repository.Root + $"{Folder}/{one.Id}.md")));
    }

    [Fact]
    public void Every_page_is_about_a_diagnostic()
    {
        var ids = Descriptors.Select(static one => $"{Folder}/{one.Id}.md").ToHashSet(StringComparer.Ordinal);

        Findings.None(Repository.Files(Folder, ".md").Where(page => !ids.Contains(page)));
    }
}
