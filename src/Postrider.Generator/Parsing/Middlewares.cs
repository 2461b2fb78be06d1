using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Postrider.Generator.Model;

namespace Postrider.Generator.Parsing;

/// <summary>Reads middleware and hooks.</summary>
internal static class Middlewares
{
    internal static MiddlewareModel Read(INamedTypeSymbol type, AttributeData attribute)
    {
        if (type.IsUnboundGenericType)
            type = type.OriginalDefinition;
        var shape = MiddlewareShape.None;
        string request = null, response = "", exception = "";
        foreach (var contract in type.AllInterfaces)
        {
            var found = Names.Definition(contract) switch
            {
                Names.Middleware => MiddlewareShape.Middleware,
                Names.ContextMiddleware => MiddlewareShape.ContextMiddleware,
                Names.StreamMiddleware => MiddlewareShape.Stream,
                Names.PreProcessor => MiddlewareShape.PreProcessor,
                Names.PostProcessor => MiddlewareShape.PostProcessor,
                Names.ExceptionHandler => MiddlewareShape.ExceptionHandler,
                Names.ExceptionAction => MiddlewareShape.ExceptionAction,
                Names.Before => MiddlewareShape.Before,
                Names.After => MiddlewareShape.After,
                Names.Finally => MiddlewareShape.Finally,
                _ => MiddlewareShape.None,
            };
            if (found == MiddlewareShape.None)
                continue;

            shape |= found;
            request ??= Instances.TemplateName(contract.TypeArguments[0]);
            if (found is MiddlewareShape.ExceptionHandler or MiddlewareShape.ExceptionAction)
                exception = Instances.TemplateName(contract.TypeArguments[contract.TypeArguments.Length - 1]);
            if (contract.TypeArguments.Length > (exception.Length > 0 ? 2 : 1))
                response = Instances.TemplateName(contract.TypeArguments[1]);
        }

        if (shape == MiddlewareShape.None || type.IsAbstract || !Names.IsReachable(type))
            return null;

        // A class of another project may say itself how long it lives.
        var own = Names.Attribute(type, Names.MiddlewareAttribute);
        return new(
            Instances.Read(type, Names.Argument(attribute, "Lifetime", Names.Argument(own, "Lifetime", 0))),
            shape,
            request,
            response,
            exception,
            new(type.TypeParameters.Select(Parameter)),
            Names.Argument(attribute, "Order", 0));
    }

    private static TypeParameterModel Parameter(ITypeParameterSymbol parameter) => new(
        new(parameter.ConstraintTypes.Select(Instances.TemplateName)),
        parameter.HasReferenceTypeConstraint,
        parameter.HasValueTypeConstraint);
}
