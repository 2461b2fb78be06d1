namespace System.ServiceModel.Web;

/// <summary>Maps the operation to an HTTP method and template.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class WebInvokeAttribute : Attribute
{
    /// <summary>The HTTP method; null for POST.</summary>
    public string? Method { get; set; }

    /// <summary>The path and query, for example <c>orders/{id}?max={limit}</c>; null for the operation's name.</summary>
    public string? UriTemplate { get; set; }

    /// <summary>WCF's response format. Not used: callers choose the format with <c>Accept</c>.</summary>
    public WebMessageFormat ResponseFormat { get; set; }

    /// <summary>WCF's request format. Not used: callers state the format with <c>Content-Type</c>.</summary>
    public WebMessageFormat RequestFormat { get; set; }

    /// <summary>WCF's body style. Not used: one parameter is the body, several are an object with their names.</summary>
    public WebMessageBodyStyle BodyStyle { get; set; }
}
