using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;

namespace Postrider.Generator.Parsing;

/// <summary>Reads which part of a message has the id of its saga.</summary>
internal static class SagaCorrelation
{
    /// <summary>The expression of the id, for a variable <c>message</c>; empty if the message does not define it.</summary>
    internal static string Of(IMethodSymbol method) => Read(method).Expression;

    /// <summary>Why a message does not define the id, or null. Settings may define it instead if <paramref name="isOpen"/> is true.</summary>
    internal static string? WhyNot(IMethodSymbol method, out bool isOpen)
    {
        var (_, why, open) = Read(method);
        isOpen = open;
        return why;
    }

    private static (string Expression, string? Why, bool IsOpen) Read(IMethodSymbol method)
    {
        var message = method.Parameters[0].Type;
        if (TypeNames.Attribute(method, KnownNames.CorrelateByAttribute) is { } attribute)
            return OfPath(message, attribute.ConstructorArguments.FirstOrDefault().Value as string ?? "");

        var marked = Members(message).Where(m => TypeNames.Attribute(m, KnownNames.SagaIdAttribute) is not null).Select(m => m.Name)
            .Concat(Parameters(message).Where(p => TypeNames.Attribute(p, KnownNames.SagaIdAttribute) is not null).Select(p => p.Name))
            .Distinct().ToList();
        if (marked.Count > 1)
            return ("", $"it has [SagaId] on {marked[0]} and on {marked[1]}; mark one", false);
        if (marked.Count == 1)
            return OfPath(message, marked[0]);
        if (Handlers.Implements(message, KnownNames.Keyed))
            return ("_X::SagaIds.Of(((_P::IKeyed)message).Key)", null, false);
        return ("", "mark a property with [SagaId] or the method with [CorrelateBy], implement IKeyed, or call SagaOptions.For<…>().Correlate<" + message.Name + ">(…)", true);
    }

    private static (string Expression, string? Why, bool IsOpen) OfPath(ITypeSymbol message, string path)
    {
        var type = message;
        var written = "message";
        foreach (var name in path.Split('.'))
        {
            var member = Members(type).FirstOrDefault(m => m.Name == name);
            if (member is null || !TypeNames.IsReachable(member))
                return ("", $"{TypeNames.Display(type)} has no readable property or field '{name}'", false);
            type = member is IPropertySymbol property ? property.Type : ((IFieldSymbol)member).Type;
            written += "." + TypeNames.Written(name);
        }

        return type.SpecialType == SpecialType.System_String || type.AllInterfaces.Any(i => TypeNames.Definition(i) == "System.IFormattable") && type.TypeKind != TypeKind.Enum
            ? ($"_X::SagaIds.Of({written})", null, false)
            : ("", $"'{path}' is a {TypeNames.Display(type)}; an id is a string, a Guid or a number", false);
    }

    private static IEnumerable<ISymbol> Members(ITypeSymbol type)
    {
        for (var t = type; t is not null; t = t.BaseType)
        {
            foreach (var member in t.GetMembers())
            {
                if (member is IPropertySymbol { IsStatic: false, GetMethod: not null, IsIndexer: false } or IFieldSymbol { IsStatic: false, IsImplicitlyDeclared: false })
                    yield return member;
            }
        }
    }

    // For a record, whose parameter is a property too.
    private static IEnumerable<IParameterSymbol> Parameters(ITypeSymbol type)
        => type is INamedTypeSymbol { IsRecord: true } named ? named.InstanceConstructors.SelectMany(c => c.Parameters) : [];
}
