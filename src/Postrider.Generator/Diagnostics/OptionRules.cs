using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Postrider.Generator.Parsing;

namespace Postrider.Generator.Diagnostics;

/// <summary>Rules about options: they are arguments of attributes, so the compiler requires constants; whether a constant is
/// valid is checked here.</summary>
internal static class OptionRules
{
    private static readonly HashSet<string> s_attributes =
        [KnownNames.HandlerAttribute, KnownNames.MiddlewareAttribute, KnownNames.UseMiddlewareAttribute, KnownNames.PublishAttribute];

    internal static IEnumerable<Diagnostic> Check(ISymbol symbol, CancellationToken ct)
    {
        foreach (var attribute in symbol.GetAttributes())
        {
            if (attribute.AttributeClass is not { } type || !s_attributes.Contains(type.ToDisplayString()))
                continue;

            var arguments = attribute.NamedArguments.Select(a => (Name: a.Key, a.Value))
                .Concat(attribute.ConstructorArguments.Select((a, i) => (attribute.AttributeConstructor?.Parameters[i].Name ?? "", a)));
            foreach (var (name, value) in arguments)
            {
                if (value.Kind == TypedConstantKind.Enum && !IsMember(value))
                {
                    yield return Diagnostic.Create(
                        DiagnosticDescriptors.UnknownOption, attribute.ApplicationSyntaxReference?.GetSyntax(ct).GetLocation(), name,
                        type.Name.Replace("Attribute", ""), value.Value, value.Type?.Name);
                }
            }
        }
    }

    private static bool IsMember(TypedConstant value)
        => value.Type?.GetMembers().OfType<IFieldSymbol>().Any(f => f.HasConstantValue && Equals(f.ConstantValue, value.Value)) == true;
}
