using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Postrider.Generator.Parsing;

namespace Postrider.Generator.Diagnostics;

/// <summary>What this compilation registers by calls with type arguments: scoped services, and messages handled elsewhere.</summary>
internal static class RegisteredTypes
{
    private static readonly HashSet<string> s_scoped = ["AddScoped", "AddDbContext", "TryAddScoped"];
    private static readonly HashSet<string> s_correlated = ["Correlate"];
    private static readonly HashSet<string> s_routed = ["Route", "Replace", "ReplaceCommand", "ReplaceStream"];

    internal static HashSet<string> Scoped(Compilation compilation, CancellationToken ct) => Find(compilation, s_scoped, ct);

    internal static HashSet<string> Routed(Compilation compilation, CancellationToken ct) => Find(compilation, s_routed, ct);

    internal static HashSet<string> Correlated(Compilation compilation, CancellationToken ct) => Find(compilation, s_correlated, ct);

    private static HashSet<string> Find(Compilation compilation, HashSet<string> methods, CancellationToken ct)
    {
        var found = new HashSet<string>();
        foreach (var tree in compilation.SyntaxTrees)
        {
            SemanticModel? semantics = null;
            foreach (var name in tree.GetRoot(ct).DescendantNodes().OfType<GenericNameSyntax>())
            {
                if (!methods.Contains(name.Identifier.Text))
                    continue;

                semantics ??= compilation.GetSemanticModel(tree);
                if (semantics.GetTypeInfo(name.TypeArgumentList.Arguments[0], ct).Type is { } type)
                    found.Add(TypeNames.Full(type));
            }
        }

        return found;
    }
}
