namespace Postrider.Rpc.Generator.Parsing;

/// <summary>The names of the attributes that bind operations to HTTP.</summary>
internal static class RouteNames
{
    internal const string Route = "Postrider.Rpc.RouteAttribute";
    internal const string Get = "Postrider.Rpc.HttpGetAttribute";
    internal const string Post = "Postrider.Rpc.HttpPostAttribute";
    internal const string Put = "Postrider.Rpc.HttpPutAttribute";
    internal const string Patch = "Postrider.Rpc.HttpPatchAttribute";
    internal const string Delete = "Postrider.Rpc.HttpDeleteAttribute";
    internal const string FromRoute = "Postrider.Rpc.FromRouteAttribute";
    internal const string FromQuery = "Postrider.Rpc.FromQueryAttribute";
    internal const string FromHeader = "Postrider.Rpc.FromHeaderAttribute";
    internal const string FromBody = "Postrider.Rpc.FromBodyAttribute";
    internal const string Marker = "Postrider.Rpc.IService";
}
