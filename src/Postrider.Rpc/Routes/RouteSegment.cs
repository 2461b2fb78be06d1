namespace Postrider.Rpc.Routes;

/// <summary>A part of a route's template: text, or a parameter in braces.</summary>
/// <param name="Text">The text, or the parameter's name.</param>
/// <param name="IsParameter">It is a parameter.</param>
/// <param name="IsRest">Whether it matches the rest of the path.</param>
internal readonly record struct RouteSegment(string Text, bool IsParameter, bool IsRest)
{
    /// <summary>The pieces of a template that the generator has checked.</summary>
    public static IReadOnlyList<RouteSegment> Read(string template)
    {
        var pieces = new List<RouteSegment>();
        var rest = template.AsSpan();
        while (!rest.IsEmpty)
        {
            var open = rest.IndexOf('{');
            if (open != 0)
                pieces.Add(new((open < 0 ? rest : rest[..open]).ToString(), false, false));
            if (open < 0)
                break;
            var close = rest.IndexOf('}');
            var name = rest[(open + 1)..close];
            pieces.Add(new(name.TrimStart('*').ToString(), true, name[0] == '*'));
            rest = rest[(close + 1)..];
        }

        return pieces;
    }
}
