//! Between JSON and Python's own data.

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde_json::{Map as Object, Number, Value as Json};
use spoton::format::quotable;

/// A whole number from 0 on, for arguments. What is none is told in a sentence.
pub fn natural<T: TryFrom<u64>>(value: &Bound<'_, PyAny>) -> PyResult<T> {
    let number: Option<u64> = match value.extract() {
        Ok(number) => Some(number),
        Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => None,
        Err(error) => return Err(error),
    };
    let number = number.and_then(|number| T::try_from(number).ok());
    number.ok_or_else(|| {
        let written = quotable(&value.to_string());
        PyValueError::new_err(match written.starts_with('-') {
            true => format!("a whole number from 0 on is wanted, not {written}"),
            false => format!("{written} is too large a number"),
        })
    })
}

/// The same where there need not be one.
pub fn natural_if_any<T: TryFrom<u64>>(value: &Bound<'_, PyAny>) -> PyResult<Option<T>> {
    if value.is_none() { Ok(None) } else { natural(value).map(Some) }
}

/// A target as it is written, if there is one. Whether it can be one, whoever reads the rule book tells.
pub fn target(value: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    if value.is_none() {
        return Ok(None);
    }
    match value.extract::<i64>() {
        Err(error) if !error.is_instance_of::<PyOverflowError>(value.py()) => Err(error),
        Err(_) => Ok(Some(value.str()?.to_str()?.to_owned())),
        Ok(target) => Ok(Some(target.to_string())),
    }
}

/// JSON as dictionaries, lists and so on, keys in their order.
pub fn to_python<'py>(py: Python<'py>, json: &Json) -> PyResult<Bound<'py, PyAny>> {
    Ok(match json {
        Json::Null => py.None().into_bound(py),
        Json::Bool(truth) => PyBool::new(py, *truth).to_owned().into_any(),
        Json::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => number.into_pyobject(py)?.into_any(),
            (None, Some(number)) => number.into_pyobject(py)?.into_any(),
            (None, None) => PyFloat::new(py, number.as_f64().unwrap_or(f64::NAN)).into_any(),
        },
        Json::String(text) => PyString::new(py, text).into_any(),
        Json::Array(items) => {
            let items = items.iter().map(|item| to_python(py, item)).collect::<PyResult<Vec<_>>>()?;
            PyList::new(py, items)?.into_any()
        }
        Json::Object(keys) => {
            let dict = PyDict::new(py);
            for (key, value) in keys {
                dict.set_item(key, to_python(py, value)?)?;
            }
            dict.into_any()
        }
    })
}

/// Nothing that a rule book or a record has is nested deeper.
const DEEPEST: u8 = 16;

/// Python's own data as JSON.
pub fn to_json(value: &Bound<'_, PyAny>) -> PyResult<Json> {
    nested(value, 0)
}

fn nested(value: &Bound<'_, PyAny>, depth: u8) -> PyResult<Json> {
    if depth > DEEPEST {
        return Err(PyTypeError::new_err("lists and dictionaries are nested too deep"));
    }
    let below = |item: &Bound<'_, PyAny>| nested(item, depth + 1);
    if value.is_none() {
        Ok(Json::Null)
    } else if let Ok(truth) = value.cast::<PyBool>() {
        Ok(truth.is_true().into())
    } else if let Ok(text) = value.cast::<PyString>() {
        Ok(text.to_str()?.into())
    } else if value.cast::<PyInt>().is_ok() {
        // A whole number past all counting is told as what it is, and refused by whoever reads it.
        Ok(value
            .extract::<i64>()
            .map_or_else(|_| value.str().map(|text| text.to_string().into()), |n| Ok(n.into()))?)
    } else if let Ok(number) = value.cast::<PyFloat>() {
        let number = Number::from_f64(number.value());
        number.map(Json::Number).ok_or_else(|| PyTypeError::new_err("a number has to be finite"))
    } else if let Ok(items) = value.cast::<PyList>() {
        items.iter().map(|item| below(&item)).collect()
    } else if let Ok(items) = value.cast::<PyTuple>() {
        items.iter().map(|item| below(&item)).collect()
    } else if let Ok(keys) = value.cast::<PyDict>() {
        let pair = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
            Ok((key.cast::<PyString>()?.to_string(), below(&value)?))
        };
        let pairs: PyResult<Object<String, Json>> = keys.iter().map(pair).collect();
        Ok(Json::Object(pairs?))
    } else {
        let kind = value.get_type().name()?;
        Err(PyTypeError::new_err(format!("a text, a number, a list or a dictionary is wanted, not {kind}")))
    }
}
