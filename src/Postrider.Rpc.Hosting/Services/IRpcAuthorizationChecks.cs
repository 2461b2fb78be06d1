using System.ComponentModel;

namespace Postrider.Rpc.Hosting;

/// <summary>Registered by what checks the authorization attributes of operations over every transport.</summary>
[EditorBrowsable(EditorBrowsableState.Advanced)]
public interface IRpcAuthorizationChecks;
