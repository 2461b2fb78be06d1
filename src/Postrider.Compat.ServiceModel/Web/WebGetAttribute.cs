namespace System.ServiceModel.Web;

/// <summary>Maps the operation to an HTTP GET of its template.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class WebGetAttribute : Attribute
{
    /// <summary>The path and query, for example <c>orders/{id}?max={limit}</c>; null for the operation's name with all parameters in the
    /// query.</summary>
    public string? UriTemplate { get; set; }

    /// <summary>WCF's response format. Not used: callers choose the format with <c>Accept</c>.</summary>
    public WebMessageFormat ResponseFormat { get; set; }

    /// <summary>WCF's request format. Not used: a GET has no body.</summary>
    public WebMessageFormat RequestFormat { get; set; }

    /// <summary>WCF's body style. Not used: one parameter is the body, several are an object with their names.</summary>
    public WebMessageBodyStyle BodyStyle { get; set; }
}
