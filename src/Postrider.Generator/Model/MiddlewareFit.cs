using System.Linq;

namespace Postrider.Generator.Model;

/// <summary>Decides whether a middleware applies to a message, and with which type arguments.</summary>
internal static class MiddlewareFit
{
    internal static AppliedMiddleware Apply(MiddlewareModel middleware, HandlerModel handler)
    {
        var isStream = handler.Kind == MessageKind.Stream;
        if (handler.Kind == MessageKind.Notification
            || isStream != middleware.Shape.HasFlag(MiddlewareShape.Stream))
            return null;

        var arguments = new string[middleware.Parameters.Count];
        if (!Bind(middleware.Request, handler.Message.Full, arguments)
            || (middleware.Response.Length > 0 && !Bind(middleware.Response, handler.Response, arguments))
            || arguments.Any(a => a is null))
            return null;

        for (var i = 0; i < arguments.Length; i++)
        {
            var isRequest = middleware.Request == Hole(i);
            var bases = isRequest ? handler.Message.Bases : handler.ResponseBases;
            var parameter = middleware.Parameters[i];
            if ((parameter.MustBeClass && isRequest && handler.Message.IsValueType)
                || (parameter.MustBeStruct && isRequest && !handler.Message.IsValueType)
                || parameter.Types.Any(t => !bases.Contains(Fill(t, arguments))))
                return null;
        }

        return new(middleware, Fill(middleware.Instance.Full, arguments), new(arguments));
    }

    /// <summary>Puts type arguments into a name with holes.</summary>
    internal static string Fill(string template, System.Collections.Generic.IEnumerable<string> arguments)
    {
        var i = 0;
        foreach (var argument in arguments)
            template = template.Replace(Hole(i++), argument);
        return template;
    }

    private static bool Bind(string pattern, string actual, string[] arguments)
    {
        for (var i = 0; i < arguments.Length; i++)
        {
            if (pattern != Hole(i))
                continue;
            arguments[i] ??= actual;
            return arguments[i] == actual;
        }

        return pattern == actual;
    }

    private static string Hole(int index) => "{" + index + "}";
}
